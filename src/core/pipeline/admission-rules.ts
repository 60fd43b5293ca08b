import type { StoredCall } from '../call-log.ts'
import { type Issue, ToolError } from '../kernel/errors.ts'
import { missingSecrets } from '../policy/layers/needs-layer.ts'
import { secretMissing } from '../secrets/requirements.ts'
import type { ToolContract } from '../kernel/tool.ts'
import type { ChainedRequest } from './chained-request.ts'
import { type ResolvedTool, toFixable } from './find-tool.ts'
import type { PipelinePorts } from './ports.ts'

/** A tool the caller can't use: not registered (undefined), or denied. */
export interface Unusable {
  request: ChainedRequest
  found: ResolvedTool | undefined
}

/**
 * The differences between the ways into the pipeline. The order of the checks is always that of
 * `admit`.
 */
export interface AdmissionRules {
  /**
   * Refusals count towards the caller's limits, and a caller with too many refusals is rejected
   * unchecked.
   */
  countsRefusals: boolean
  /** Refuse calls that no limit would ever admit. */
  refusesImpossible: boolean
  /** Refuse an input that contains the placeholder of a hidden value. */
  refusesMarks: boolean
  /** The rules of the session apply: data flow, and the mode of its workspace. */
  appliesSession: boolean
  /** The error for a tool that the caller can't use. */
  toRefusal(unusable: Unusable, ports: PipelinePorts): ToolError | Promise<ToolError>
  /** The error for an input that doesn't fit the tool. */
  toMisfit(contract: ToolContract, issues: readonly Issue[]): ToolError
}

/** A request from a door or from another tool. */
export const newCall: AdmissionRules = {
  countsRefusals: true,
  refusesImpossible: true,
  refusesMarks: true,
  appliesSession: true,
  toRefusal: ({ request, found }, { refusals }) =>
    toFixable(found) ?? refusals.refuse(request.caller, request.tool, found?.decision),
  toMisfit: ({ name }, issues) =>
    new ToolError('invalid_input', `The input does not match the schema of ${name}`, { issues }),
}

/**
 * A request that only checks whether a person must approve it. The call that follows is counted and
 * recorded.
 */
export const askingFirst: AdmissionRules = {
  ...newCall,
  countsRefusals: false,
  refusesImpossible: false,
  toRefusal: ({ request, found }) =>
    toFixable(found) ?? new ToolError('tool_not_found', `There is no tool ${request.tool}`),
}

/**
 * A call from the queue. Its limits were checked on arrival and apply again when it takes its
 * permit. The data-flow rule applies until the tool first runs: a run that is resumed or retried
 * was allowed with the flags the session had then.
 */
export function queuedCall(stored: Pick<StoredCall, 'attempt'>): AdmissionRules {
  return {
    countsRefusals: false,
    refusesImpossible: false,
    refusesMarks: false,
    appliesSession: stored.attempt === 0,
    toRefusal: (unusable) =>
      toLateRefusal(
        unusable,
        (tool, rule) => new ToolError('denied', `${tool} is no longer allowed: ${rule}`),
      ),
    toMisfit: ({ name }, issues) =>
      new ToolError('invalid_input', `The input no longer matches the schema of ${name}`, {
        issues,
      }),
  }
}

/**
 * The refusal of a stored call that policy no longer allows. A missing secret is named, so that the
 * reader sets it instead of looking for a policy.
 */
export function toLateRefusal(
  { request, found }: Unusable,
  toError: (tool: string, rule: string) => ToolError,
): ToolError {
  if (found?.decision.layer === 'needs') {
    const missing = missingSecrets(found.entry, found.scope)
    if (missing.length > 0) return secretMissing(found.entry.contract.name, missing)
  }
  return toError(request.tool, found?.decision.rule ?? 'it is not registered')
}

import type { Decision } from '../call.ts'
import { ToolError } from '../errors.ts'
import type { Hiding } from '../explain/refusals.ts'
import { decide } from '../policy/decide.ts'
import type { Scope } from '../policy/scope.ts'
import type { RegisteredTool } from '../registry.ts'
import type { ChainedRequest } from './chained-request.ts'
import type { PipelinePorts } from './ports.ts'

/** A tool that this caller sees, with what was decided about using it. */
export interface FoundTool {
  entry: RegisteredTool
  scope: Scope
  decision: Decision
}

/** For this caller there is no such tool; `hiding` says why, to those who may know. */
export interface HiddenTool {
  entry: undefined
  hiding: Hiding
}

/** Looks a tool up as this caller. Unknown and invisible tools get the same answer; explain knows the difference. */
export function findTool(
  request: Pick<ChainedRequest, 'tool' | 'depth'>,
  scope: Scope,
  ports: Pick<PipelinePorts, 'registry' | 'limits'>,
): FoundTool | HiddenTool {
  if ((request.depth ?? 0) > ports.limits.maxCallDepth) {
    throw new ToolError('call_too_deep', `Calls nest more than ${ports.limits.maxCallDepth} deep`, {
      fix: 'Look for tools that call each other in a circle.',
    })
  }
  const entry = ports.registry.find(request.tool, scope.tenant)
  if (entry === undefined) return { entry, hiding: undefined }
  const decision = decide(entry, scope)
  // People see what they could mend in their lists, so they are told; for an agent it does not exist.
  if (decision.layer === 'needs' && scope.agent === undefined) throw misconfigured(entry, decision)
  // Health has the last word: whoever comes this far would see the tool, and may have a moment ago.
  if (decision.layer === 'health' && entry.isDown !== undefined && !entry.quarantine)
    throw down(entry)
  // A layer that denies is a layer that hides: the two are one list.
  if (decision.verdict === 'deny') return { entry: undefined, hiding: decision }
  return { entry, scope, decision }
}

function down({ contract, isDown }: RegisteredTool): ToolError {
  return new ToolError('upstream_failed', `The server of ${contract.name} is down: ${isDown}`, {
    retryable: true,
    fix: 'It is tried again by itself: call it later.',
  })
}

function misconfigured({ contract }: RegisteredTool, { rule }: Decision): ToolError {
  const secret = contract.secrets.find(({ key, optional }) => !optional && rule.includes(key))
  return new ToolError('secret_missing', `${contract.name} is misconfigured: ${rule}`, {
    fix:
      secret === undefined
        ? 'Set the environment variable where the server runs, then restart the server.'
        : `Run: toolcrib secrets set ${secret.key}`,
  })
}

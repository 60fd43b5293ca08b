import { createId } from '../kernel/ids.ts'
import { settingsFor } from '../policy/settings-for.ts'
import { prepareValue } from '../schema/prepare-value.ts'
import type { JsonValue, ToolContract } from '../kernel/tool.ts'
import type { ChainedRequest } from './chained-request.ts'
import { toFlowFacts } from './data-flow.ts'
import type { ResolvedTool } from './find-tool.ts'
import { toJsonValue } from './output/to-json-value.ts'
import type { CallFacts } from './record/call-facts.ts'

/**
 * The facts of a call before approval or limits apply. A stored call keeps its id and its times.
 */
export function toFacts(found: ResolvedTool, request: ChainedRequest, now: number): CallFacts {
  const { entry, scope } = found
  const { stored } = request
  const { contract } = entry.tool
  const settings = settingsFor(entry, scope)
  const longest = settings.timeoutMs ?? contract.timeoutMs
  // The original input, not the parsed one: a rerun parses it again.
  const input = toJsonValue(request.input ?? {}).value
  return {
    callId: stored?.callId ?? createId('call'),
    contract,
    toolVersion: entry.version,
    caller: request.caller,
    position: request.position,
    askedDigest: request.askedDigest,
    groupId: request.groupId,
    input,
    preparedInput: request.idempotencyKey === undefined ? undefined : prepared(input, contract),
    decision: found.decision,
    settings,
    flow: toFlowFacts(found, request.rootId),
    // A caller may request less time, never more.
    timeoutMs: stored?.timeoutMs ?? Math.max(1, Math.min(request.timeoutMs ?? longest, longest)),
    requestedAt: stored?.requestedAt ?? now,
    parentId: request.parentId,
    purpose: request.shield?.purpose,
    undoes: request.undoes,
    idempotencyKey: request.idempotencyKey,
  }
}

/**
 * The input in the form the tool takes it, if it was written differently. Defaults are left out:
 * they may change between a request and its retry.
 */
function prepared(input: JsonValue, { inputSchema }: ToolContract): JsonValue | undefined {
  const value = prepareValue(inputSchema, input, { defaults: false }) as JsonValue
  return value === input ? undefined : value
}

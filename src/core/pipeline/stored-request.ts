import type { Caller } from '../kernel/call.ts'
import type { StoredCall } from '../call-log.ts'
import { ToolError } from '../kernel/errors.ts'
import { readSensitive } from '../secrets/sensitive-of-call.ts'
import type { JsonValue } from '../kernel/tool.ts'
import type { ChainedRequest } from './chained-request.ts'
import { findRoot } from './data-flow.ts'
import { shareParentReads } from './parent-reads.ts'
import type { PipelinePorts } from './ports.ts'

/** A stored call as a request by its caller, with the input a person has edited, if any. */
export async function toRequest(
  stored: StoredCall,
  { caller, input }: { caller: Caller; input?: JsonValue },
  ports: PipelinePorts,
): Promise<ChainedRequest> {
  const isNested = stored.parentId !== undefined
  const above = { ...ports, calls: shareParentReads(ports.calls) }
  return {
    tool: stored.tool,
    input: input === undefined ? readInput(stored) : input,
    caller,
    parentId: stored.parentId,
    groupId: stored.groupId,
    undoes: stored.undoes,
    rerun: stored.rerun,
    isTrial: stored.isTrial,
    depth: stored.depth ?? (isNested ? 1 : 0),
    rootId: stored.sessionId === undefined ? await findRoot(stored, above) : undefined,
    // Secrets that the parent calls passed down are still secret, also those of a call that has
    // started this one.
    secrets:
      isNested || stored.rawInput !== undefined ? await readSensitive(stored, above) : undefined,
    stored: {
      callId: stored.callId,
      timeoutMs: stored.timeoutMs,
      requestedAt: Date.parse(stored.requestedAt),
    },
  }
}

/** The input to run with. Throws when only its redacted form is left. */
function readInput(stored: StoredCall): JsonValue {
  if (!stored.isInputLost) return stored.rawInput ?? stored.input
  throw new ToolError(
    'secret_missing',
    `The input of ${stored.tool} contained a secret and can no longer be read: the master key it was sealed with is missing`,
    {
      fix: 'Add the old master key below the current one, or call again with the whole input.',
    },
  )
}

/** The caller of a stored call, as far as its record knows. */
export function callerOf(stored: StoredCall): Caller {
  return {
    tenant: stored.tenant,
    principal: stored.principal,
    permissions: stored.permissions ?? [],
    runtime: stored.runtime,
    agent: stored.agent,
    parents: stored.parents,
    skill: stored.skill,
    sessionId: stored.sessionId,
    onBehalfOf: stored.onBehalfOf,
    ...(stored.person !== undefined && { person: stored.person }),
  }
}

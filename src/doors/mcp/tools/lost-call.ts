import { askOperation } from '../../../features/ask-operation.ts'
import { isSamePrincipal } from '../../../core/kernel/caller.ts'
import type { Caller, CallRecord, CallResult } from '../../../core/kernel/call.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { isSettled } from '../../../core/call-state.ts'
import type { McpRequest } from '../mcp-shared.ts'
import { notParked, type ResumeToken } from '../calls/parked-dialogs.ts'

interface Lost extends Pick<McpRequest, 'shared' | 'requestContext'> {
  tool: OfferedTool | undefined
  ticket: ResumeToken
}

/**
 * Handles an answer to a question of another process: a dead one, or another node. The suspended
 * work cannot be resumed from here, so its call ends and nobody waits for it any more. Returns its
 * result; undefined if the call may be repeated with the answer as if it were the first time,
 * because it had no effect and asked nothing before.
 */
export async function endLostCall(lost: Lost): Promise<CallResult | undefined> {
  const { ticket, tool } = lost
  const found = await findOwnCall(lost, ticket.elsewhere ?? '')
  const wasOpen = !isSettled(found.status)
  const call = wasOpen ? await end(found, lost) : found
  const isCutOff = wasOpen || cutOff.has(call.error?.code ?? '')
  if (!isCutOff) return call
  const mayRepeat = tool?.effect === 'read' || tool?.idempotent === true
  return mayRepeat && ticket.round === 1 ? undefined : toLostResult(call)
}

/** How calls end whose process stops or dies while they wait. */
const cutOff: ReadonlySet<string> = new Set(['interrupted', 'outcome_unknown', 'cancelled'])

/** The caller's own, and of this tool: the ticket is not sealed by anybody we know. */
export async function findOwnCall(
  { shared, requestContext, tool }: Omit<Lost, 'ticket'>,
  callId: string,
): Promise<CallRecord> {
  const { caller } = requestContext
  const call = await askOperation({ api: shared.api, caller }, 'findCall', { id: callId }).catch(
    (error: unknown) => {
      if (isToolError(error) && error.code === 'not_found') return undefined
      throw error
    },
  )
  if (call === undefined || !isOwn(call, caller) || call.tool !== tool?.name) throw notParked()
  return call
}

/** A caller who may read the calls of others still did not make them. */
export function isOwn({ principal, agent }: CallRecord, caller: Caller): boolean {
  return isSamePrincipal(principal, caller.principal) && agent === caller.agent
}

async function end({ callId }: CallRecord, { shared, requestContext }: Lost): Promise<CallResult> {
  const asking = { api: shared.api, caller: requestContext.caller }
  try {
    return await askOperation(asking, 'cancelCall', { id: callId })
  } catch (error) {
    if (!isToolError(error) || error.code !== 'already_settled') throw error
    return askOperation(asking, 'findCall', { id: callId })
  }
}

function toLostResult({ callId }: CallResult): CallResult {
  const message = `The server that asked this has stopped or is another one, so ${callId} was ended before it had your answer`
  return {
    ...(callId !== undefined && { callId }),
    status: 'failed',
    error: {
      code: 'interrupted',
      message,
      retryable: false,
      fix: `See what it has done (crib://calls/${callId}), then call again if it is still wanted.`,
    },
  }
}

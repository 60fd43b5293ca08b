import type { Caller, CallRecord, CallResult } from '../../kernel/call.ts'
import { toCallResult } from '../../kernel/call-result.ts'
import { isSettled } from '../../call-state.ts'
import { isSamePrincipal } from '../../kernel/caller.ts'
import { ToolError } from '../../kernel/errors.ts'
import { compilePermissions } from '../../policy/permissions.ts'
import type { Admission } from '../admit.ts'
import { raiseFlags } from '../data-flow.ts'
import type { PipelinePorts } from '../ports.ts'
import { toCallError } from '../record/call-error.ts'
import type { NotOpened } from '../record/call-recorder.ts'
import { usedByOther } from '../used-by-other.ts'
import { reportId } from './report-id.ts'

/**
 * Handles a key that was used before: answers with the earlier call, even while it still runs, or
 * refuses.
 */
export async function joinEarlier(
  earlier: NotOpened,
  { facts, request }: Pick<Admission, 'facts' | 'request'>,
  ports: PipelinePorts,
): Promise<CallResult> {
  if (earlier.kind === 'refused') throw earlier.error
  if (earlier.kind === 'unconfirmed') return toUnconfirmed(facts.callId, earlier.cause)
  if (earlier.kind === 'mismatch') {
    throw new ToolError(
      'idempotency_mismatch',
      'This idempotency key was used before with different input',
      {
        fix: 'Send the same input again, or make a separate request: with a new key, or as a new tool call of the model.',
        details: { callId: earlier.callId },
      },
    )
  }
  const { call } = earlier
  if (!mayJoin(request.caller, call)) {
    throw new ToolError('idempotency_mismatch', usedByOther, {
      fix: 'Use a unique key, such as a UUID.',
    })
  }
  // This session now sees data that the session of the earlier call has read.
  await raiseFlags({ ...facts, callId: call.callId }, ports)
  reportId(request, call.callId)
  // While an approval is pending, the answer is that the call waits.
  const answersNow =
    call.status === 'waiting' || request.respondAsync === true || request.step !== undefined
  if (isSettled(call.status) || answersNow) return toCallResult(call)
  const here = ports.running.find(call.callId)
  if (here !== undefined) return here.done
  return ports.waitForCall(call.tenant, call.callId, request.signal)
}

/** The call keeps its id, so that its caller can look up the result. */
function toUnconfirmed(callId: string, cause: unknown): CallResult {
  const message = 'The database connection broke before it confirmed the call; it may still run'
  const fix = `Look up call ${callId} before you call again: toolcrib call --watch ${callId}`
  const error = new ToolError('record_failed', message, { cause, fix, retryable: false })
  return { callId, status: 'failed', error: toCallError(error) }
}

/** A key must not give access to results that the caller may not read anyway. */
function mayJoin({ principal, permissions }: Caller, call: CallRecord): boolean {
  return (
    isSamePrincipal(principal, call.principal) || compilePermissions(permissions).has('audit.read')
  )
}

import { isSettled } from '../../core/call-state.ts'
import type { Caller, CallRecord } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import { toSettlement } from '../../core/pipeline/record/call-facts.ts'
import type { CallOperationParts } from './parts.ts'

/** Running here: abort it. Not started: settle it. Running elsewhere: leave a request for that node. */
export async function cancelCall(
  parts: CallOperationParts,
  caller: Caller,
  call: CallRecord,
): Promise<void> {
  const because = new ToolError(
    'cancelled',
    `Cancelled by ${caller.principal.kind} ${caller.principal.id}`,
  )
  const here = parts.running.find(call.callId)
  if (here !== undefined) {
    here.control.abort(because)
    await here.done
    // The cancellation may have arrived after its run had ended, and the call now waits for an
    // external worker.
    const left = await parts.calls.find(call.tenant, call.callId)
    return left !== undefined && isAtRest(left) ? cancelCall(parts, caller, left) : undefined
  }
  if (isAtRest(call)) {
    const facts = { callId: call.callId, caller, requestedAt: Date.parse(call.requestedAt) }
    const settlement = toSettlement(
      facts,
      { error: toCallError(because), warnings: [] },
      { log: {}, settledAt: parts.now() },
    )
    const guarded = { ...settlement, from: call.status, hadJob: true }
    if (await parts.calls.settle(guarded)) {
      parts.work.wake()
      return cancelChildren(parts, caller, call)
    }
    // Its status has changed: an approval queued the waiting call, and the queue ignores cancellations.
    const moved = await parts.calls.find(call.tenant, call.callId)
    if (moved !== undefined && isSettled(moved.status)) return
    if (moved !== undefined && moved.status !== call.status) {
      return cancelCall(parts, caller, moved)
    }
  }
  await parts.calls.requestCancel(call.tenant, call.callId)
}

/** True if no node runs it at the moment. */
function isAtRest<T extends CallRecord>(call: T): call is T & { status: 'queued' | 'waiting' } {
  return call.status === 'queued' || call.status === 'waiting'
}

/** Nested calls of a waiting call are of no use without it. */
async function cancelChildren(
  parts: CallOperationParts,
  caller: Caller,
  call: CallRecord,
): Promise<void> {
  const children = await parts.calls.listChildren(call.tenant, call.callId)
  const open = children.filter(({ status }) => !isSettled(status))
  await Promise.all(open.map((child) => cancelCall(parts, caller, child)))
}

import type { CallResult } from '../../core/kernel/call.ts'
import { isSettled } from '../../core/call-state.ts'
import { toProblem } from './problem.ts'
import { json, problemReply } from './reply.ts'
import type { Reply } from './reply.ts'

/**
 * How a call's result is answered: refused before there was a call → problem; denied → 403 problem
 * with its id; settled, but not on disk yet → 503 with its id, where it may be repeated; settled in
 * any other way → 200; not settled yet → 202 and where to ask again.
 */
export function toCallReply(
  result: CallResult,
  requestId: string,
  headers: readonly string[] = [],
): Reply {
  const { callId, status, error } = result
  if (callId === undefined || status === 'denied') {
    const source = error ?? {
      code: 'internal',
      message: 'The call gave no result',
      retryable: false,
    }
    const place = callId === undefined ? { requestId } : { requestId, callId, status: 403 }
    return problemReply(toProblem(source, place), headers)
  }
  // It ran, and its end is not on disk yet. Only what may be repeated is answered with a 503, which
  // clients take as a word to send it again.
  if (error?.code === 'record_failed' && error.retryable) {
    return problemReply(toProblem(error, { requestId, callId }), headers)
  }
  if (isSettled(status)) return json(200, result, headers)
  return json(202, result, [...headers, 'location', callPath(callId)])
}

/** Where a call can be read. */
export function callPath(callId: string): string {
  return `/api/v1/calls/${encodeURIComponent(callId)}`
}

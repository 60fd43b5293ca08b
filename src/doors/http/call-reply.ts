import type { CallRecord, CallResult } from '../../core/call.ts'
import { isSettledStatus } from './streams/follow-events.ts'
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
  if (isSettledStatus(status)) return json(200, result, headers)
  return json(202, result, [...headers, 'location', callPath(callId)])
}

/** Where a call can be read. */
export function callPath(callId: string): string {
  return `/api/v1/calls/${encodeURIComponent(callId)}`
}

/** The result part of a stored call: what its caller would have been answered. */
export function toCallResult(record: CallRecord): CallResult {
  const result: CallResult = { callId: record.callId, status: record.status }
  if (record.output !== undefined) result.output = record.output
  if (record.error !== undefined) result.error = record.error
  if (record.artifact !== undefined) result.artifact = record.artifact
  if (record.warnings !== undefined) result.warnings = record.warnings
  if (record.waitingFor !== undefined) result.waitingFor = record.waitingFor
  if (record.waitingFor === 'approval') result.approvalId = record.approvalId
  return result
}

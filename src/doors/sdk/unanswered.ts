import type { ErrorCode } from '../../core/kernel/errors.ts'
import type { Outcome } from './tool-run.ts'

/** Errors about a call that were found without making it; any other error concerns the request. */
const aboutTheCall: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'tool_not_found',
  'invalid_input',
  'idempotency_mismatch',
  'denied',
  'cannot_wait',
])

/** True if the crib was unreachable or refused the request: the state of the call is unknown. */
export function isUnanswered(
  outcome: Outcome | undefined,
): outcome is Extract<Outcome, { kind: 'failed' }> {
  if (outcome?.kind !== 'failed' || outcome.callId !== undefined) return false
  return !aboutTheCall.has(outcome.error.code)
}

import type { ErrorCode } from '../../core/kernel/errors.ts'
import type { Outcome } from './tool-run.ts'

/** What the crib says of a call without making it; anything else was said of the request. */
const aboutTheCall: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'tool_not_found',
  'invalid_input',
  'idempotency_mismatch',
  'denied',
  'cannot_wait',
])

/** True where the crib could not be asked, or refused to be: how the call stands is not known. */
export function isUnanswered(
  outcome: Outcome | undefined,
): outcome is Extract<Outcome, { kind: 'failed' }> {
  if (outcome?.kind !== 'failed' || outcome.callId !== undefined) return false
  return !aboutTheCall.has(outcome.error.code)
}

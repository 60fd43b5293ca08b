import type { CallResult } from '../../../core/kernel/call.ts'
import { toSafeLine } from '../output/safe-text.ts'

/** How a person can continue a waiting call. */
export function toWaitingLines({ callId, waitingFor, approvalId }: CallResult): string[] {
  const call = toSafeLine(callId ?? 'The call')
  const follow = `→ toolcrib call --watch ${call} follows it to its end.`
  if (waitingFor === 'approval') {
    const id = toSafeLine(approvalId ?? call)
    return [
      `${call} waits for approval.`,
      `→ toolcrib approve ${id}`,
      `→ toolcrib reject ${id} --reason …`,
      follow,
    ]
  }
  if (waitingFor === 'call') {
    return [
      `${call} waits for a call it made.`,
      '→ toolcrib approvals',
      '→ toolcrib questions',
      follow,
    ]
  }
  return [`${call} waits for an answer or an external worker.`, '→ toolcrib questions', follow]
}

import type { Outcome, PendingCall } from '../tool-run.ts'

/** True for a call that a person has to decide on. */
export function isWaiting(
  outcome: Outcome | undefined,
): outcome is PendingCall & { approvalId: string } {
  return outcome?.kind === 'pending' && outcome.approvalId !== undefined
}

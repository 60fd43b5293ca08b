import { ToolError } from '../../core/kernel/errors.ts'
import { networkOf as networkOfAddress } from '../../core/net/network-of.ts'
import type { Visitor } from '../../core/sign-in/sign-in.ts'

/** The subject whose attempts are counted, and how many may fail without a wait. */
export interface AttemptLimit {
  subject: string
  /** This many may fail before each further failure adds a wait. */
  free: number
}

/** The failures of a subject so far. */
export interface AttemptState {
  failures: number
  lastMs: number
  blockedUntilMs: number
}

/** The longest wait before the next attempt, so that nobody is locked out permanently. */
export const longestWaitMs = 5 * 60_000
/** Failures are forgotten this long after the last one. */
export const forgetMs = 24 * 3_600_000

/**
 * Counts one more attempt. After that, each failure doubles the wait before the next: 1 s, 2 s,
 * 4 s, up to five minutes. An attempt during the wait is refused and does not prolong it.
 */
export function countAttempt(
  before: AttemptState | undefined,
  free: number,
  now: number,
): { state: AttemptState } | { retryAfterMs: number } {
  if (before !== undefined && before.blockedUntilMs > now) {
    return { retryAfterMs: Math.min(before.blockedUntilMs - now, longestWaitMs) }
  }
  const isForgotten = before === undefined || now - before.lastMs > forgetMs
  const failures = isForgotten ? 1 : before.failures + 1
  const over = failures - free
  const waitMs = over <= 0 ? 0 : Math.min(longestWaitMs, 1000 * 2 ** Math.min(over - 1, 20))
  return { state: { failures, lastMs: now, blockedUntilMs: now + waitMs } }
}

/** The error for a person who has to wait before the next attempt. */
export function tooManyTries(retryAfterMs: number): ToolError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new ToolError('rate_limited', 'Too many attempts to sign in', {
    fix: `Try again in ${retryAfterSeconds} s, or sign in with a link.`,
    details: { retryAfterMs: retryAfterSeconds * 1000 },
  })
}

/** The subject whose attempts are counted: one address in one tenant. */
export function accountOf(tenant: string, email: string): string {
  return `account:${tenant.slice(0, 100)}:${email}`
}

/** The network that a request comes from. Undefined if the door does not know it. */
export function networkOf({ address }: Visitor): string | undefined {
  return address === undefined ? undefined : `from:${networkOfAddress(address)}`
}

import type { CallError } from '../../core/kernel/call.ts'
import type { ErrorCode } from '../../core/kernel/errors.ts'

/** The default number of retries of a run. */
export const defaultRetries = 3
export const mostRetries = 10
/** This many consecutive failures disable a schedule. */
export const failuresToDisable = 5

const firstDelayMs = 10_000
const growth = 4
const longestDelayMs = 3_600_000

/** A person or rule denied it, or it may have had an effect: only a person may decide to retry it. */
const final: readonly ErrorCode[] = [
  'outcome_unknown',
  'denied',
  'approval_required',
  'approval_rejected',
  'approval_expired',
  'cancelled',
  'forbidden',
  'invalid_input',
  'idempotency_mismatch',
  'budget_exceeded',
]

/**
 * True if an attempt that ended like this may be retried. A missing tool may be on the node that
 * tries next. A timeout reports itself whether the tool may have had its effect.
 */
export function mayTryAgain(error: CallError): boolean {
  if (error.code === 'timeout') return error.retryable
  return !final.includes(error.code)
}

/** How long to wait before a retry (from 1): 10 s, 40 s, 160 s, …, each up to a fifth shorter or longer. */
export function retryDelayMs(retry: number, random: number): number {
  const delay = Math.min(firstDelayMs * growth ** (retry - 1), longestDelayMs)
  return Math.round(delay * (0.8 + 0.4 * random))
}

/** The request was refused temporarily and nothing was tried, so it can be repeated soon. */
export function isTurnedAway(error: CallError | undefined): boolean {
  return error !== undefined && notNow.includes(error.code)
}

const notNow: readonly ErrorCode[] = [
  'shutting_down',
  'store_unavailable',
  'record_failed',
  'rate_limited',
  'tenant_suspended',
]

/** A tenant may be resumed at any later time, and nothing has failed. */
export function isSuspended(error: CallError | undefined): boolean {
  return error?.code === 'tenant_suspended'
}

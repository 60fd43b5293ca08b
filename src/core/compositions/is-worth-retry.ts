import type { CallError } from '../kernel/call.ts'
import type { ErrorCode } from '../kernel/errors.ts'

/** Failures that the tool reports: a number of retries is permission to call it again. */
const reported: ReadonlySet<ErrorCode> = new Set(['tool_failed', 'tool_crashed', 'output_invalid'])

/**
 * Whether a failed step is tried again. Never if its effect may have happened, a person refused, or
 * the same would happen again.
 */
export function isWorthRetry(error: CallError | undefined): boolean {
  return error !== undefined && (error.retryable || reported.has(error.code))
}

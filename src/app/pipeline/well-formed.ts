import type { CallRequest } from '../../core/kernel/call-request.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { priorityRange } from '../../core/pipeline/record/work-order.ts'
import { maxShortChars } from '../../core/kernel/text/short-text.ts'

const maxTimeoutMs = 24 * 60 * 60 * 1000
const maxDelayMs = 366 * 24 * 60 * 60 * 1000

/**
 * Throws invalid_request for values that no door may pass on: they would be stored, or set a timer.
 */
export function assertWellFormed(request: CallRequest): void {
  const { timeoutMs, idempotencyKey, caller, priority, startAt } = request
  const { min, max } = priorityRange
  if (priority !== undefined && !isWholeBetween(priority, min, max)) {
    throw unfit('priority', `a whole number from ${min} to ${max}`)
  }
  if (startAt !== undefined && !isWholeBetween(Math.round(startAt), 0, Date.now() + maxDelayMs)) {
    throw unfit('startAt', 'a time within a year from now')
  }
  if (timeoutMs !== undefined && !isWholeBetween(timeoutMs, 1, maxTimeoutMs)) {
    throw unfit('timeoutMs', `a whole number from 1 to ${maxTimeoutMs}`)
  }
  if (idempotencyKey !== undefined && !isTextBetween(idempotencyKey, 1, 255)) {
    throw unfit('idempotencyKey', 'a string of 1 to 255 characters')
  }
  assertSession(caller.sessionId)
}

/** The same for the session only, which can be named long before the first call. */
export function assertSession(sessionId: unknown): void {
  if (sessionId === undefined || isTextBetween(sessionId, 0, maxShortChars)) return
  throw unfit('sessionId', `a string of at most ${maxShortChars} characters`, {
    fix: 'Use a shorter id, such as a hash of yours. runId has no such limit.',
  })
}

function isWholeBetween(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
}

/** No database can store a NUL in text. */
function isTextBetween(value: unknown, least: number, most: number): boolean {
  if (typeof value !== 'string' || value.length < least || value.length > most) return false
  return !value.includes('\0') && value.isWellFormed()
}

function unfit(field: string, wanted: string, way: { fix?: string } = {}): ToolError {
  const message = `must be ${wanted}`
  return new ToolError('invalid_request', `${field} ${message}`, {
    issues: [{ path: `/${field}`, message }],
    ...way,
  })
}

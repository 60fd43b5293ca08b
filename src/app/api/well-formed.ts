import type { CallRequest } from '../../core/crib-api.ts'
import { ToolError } from '../../core/errors.ts'

const maxTimeoutMs = 24 * 60 * 60 * 1000

/** Throws invalid_request for what no door may pass on: it would be stored, or set a timer. */
export function assertWellFormed({ timeoutMs, idempotencyKey, caller }: CallRequest): void {
  if (timeoutMs !== undefined && !isWholeBetween(timeoutMs, 1, maxTimeoutMs)) {
    throw unfit('timeoutMs', `a whole number from 1 to ${maxTimeoutMs}`)
  }
  if (idempotencyKey !== undefined && !isTextBetween(idempotencyKey, 1, 255)) {
    throw unfit('idempotencyKey', 'a text of 1 to 255 characters')
  }
  if (caller.sessionId !== undefined && !isTextBetween(caller.sessionId, 0, 200)) {
    throw unfit('sessionId', 'a text of at most 200 characters')
  }
}

function isWholeBetween(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
}

/** No database keeps a NUL in a text. */
function isTextBetween(value: unknown, least: number, most: number): boolean {
  if (typeof value !== 'string' || value.length < least || value.length > most) return false
  return !value.includes('\0') && value.isWellFormed()
}

function unfit(field: string, wanted: string): ToolError {
  const message = `must be ${wanted}`
  return new ToolError('invalid_request', `${field} ${message}`, {
    issues: [{ path: `/${field}`, message }],
  })
}

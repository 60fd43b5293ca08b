import { type ErrorCode, ToolError } from '../kernel/errors.ts'

/** An answer with an error status. */
export interface RefusedAnswer {
  /** The host or provider, for the message. Never an address that may hold a key. */
  from: string
  status: number
  headers: Headers
  /** Text of the answer, for the message. */
  excerpt?: string
  /** How to fix a refusal by 401 or 403. */
  credentialFix?: string
}

/** The error for a status of 400 or more. Retryable after 429 and 5xx. */
export function toUpstreamError(answer: RefusedAnswer): ToolError {
  const { from, status, headers, excerpt = '', credentialFix } = answer
  const said = shorten(excerpt)
  const message = `${from} answered ${status}${said === '' ? '' : `: ${said}`}`
  const retryAfterMs = retryAfterOf(headers)
  const details = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  const isCredential = status === 401 || status === 403
  const fix = isCredential ? credentialFix : fixes[status]
  return new ToolError(codeOf(status), message, {
    retryable: status === 429 || status >= 500,
    details,
    ...(fix !== undefined && { fix }),
  })
}

function codeOf(status: number): ErrorCode {
  return status === 429 ? 'rate_limited' : 'upstream_failed'
}

const fixes: Readonly<Record<number, string>> = {
  404: 'Check the address, or search for the page.',
  410: 'The page no longer exists: search for another one.',
  429: 'Wait before the next request, or ask for less.',
}

/** A text of others inside of a message. */
export function shorten(text: string, maxChars = 200): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line
}

/** Seconds, or a date measured against the date of the answer. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000
  const waitMs = Date.parse(value) - Date.parse(headers.get('date') ?? '')
  return waitMs > 0 ? waitMs : undefined
}

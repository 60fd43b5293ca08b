import { type ErrorCode, errorCodes, type Issue, ToolError } from '../kernel/errors.ts'

/** Advice for this kind of caller, when the server sends none. */
export type ProblemFixes = Partial<Record<ErrorCode, string>>

/** Converts a problem document to an error. */
export function toProblemError(
  problem: Readonly<Record<string, unknown>>,
  status: number,
  fixes: ProblemFixes = {},
): ToolError {
  const code = toErrorCode(problem['code'], status)
  const message =
    textOf(problem['detail']) ?? textOf(problem['title']) ?? `The server answered ${status}.`
  const fix = textOf(problem['fix']) ?? fixes[code]
  return new ToolError(code, message, {
    issues: Array.isArray(problem['issues']) ? (problem['issues'] as Issue[]) : [],
    ...(fix === undefined ? {} : { fix }),
    ...(typeof problem['retryable'] === 'boolean' ? { retryable: problem['retryable'] } : {}),
    details: problem,
  })
}

const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_input',
  429: 'rate_limited',
  503: 'store_unavailable',
}

function toErrorCode(code: unknown, status: number): ErrorCode {
  if (typeof code === 'string' && Object.hasOwn(errorCodes, code)) return code as ErrorCode
  return codesByStatus[status] ?? 'internal'
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

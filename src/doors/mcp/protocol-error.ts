import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CallError } from '../../core/kernel/call.ts'
import { type ErrorCode, isToolError } from '../../core/kernel/errors.ts'
import { describeError } from './results/to-tool-result.ts'

/** Codes that mean a mistake in the request; everything else is trouble on our side. */
const invalidParams: ReadonlySet<ErrorCode> = new Set([
  'tool_not_found',
  'invalid_input',
  'invalid_request',
  'not_found',
  'forbidden',
])

/** A coded failure as a JSON-RPC error. An error without a code is a bug and shows no message. */
export function toProtocolError(error: unknown, onFault: (error: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (isToolError(error)) return fromCallError(error)
  onFault(error)
  return new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
}

/** The same of a call that was refused. */
export function fromCallError(
  error: Pick<CallError, 'code' | 'message' | 'issues' | 'fix' | 'refusalId' | 'retryAfterMs'>,
): ProtocolError {
  // Of an Error, a copy would be without its words.
  const { code, message, issues, fix, refusalId, retryAfterMs } = error
  const numeric = invalidParams.has(code)
    ? ProtocolErrorCode.InvalidParams
    : ProtocolErrorCode.InternalError
  return new ProtocolError(
    numeric,
    describeError({ code, message, issues, fix, retryAfterMs, retryable: false }),
    {
      code,
      ...(issues !== undefined && issues.length > 0 && { issues }),
      ...(fix !== undefined && { fix }),
      ...(refusalId !== undefined && { refusalId }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  )
}

import { SdkHttpError } from '@modelcontextprotocol/client'
import { isBeforeSending } from '../../../gateway/http/http-options.ts'

/** An error as JSON-RPC has it. */
export interface RpcError {
  code: number
  message: string
  data?: unknown
}

const internalError = -32603

/** The error for a client on stdio when the server did not answer its message as MCP. */
export function toRpcError(error: unknown, method = ''): RpcError {
  const refusal = error instanceof SdkHttpError ? fromBody(error.data['text']) : undefined
  if (refusal !== undefined) return refusal
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `The server does not answer: ${reason}`
  const isDoubtful = method === 'tools/call' && !isBeforeSending(cause)
  return { code: internalError, message: isDoubtful ? `${message}. ${doubt}` : message }
}

const doubt = 'The call may have run anyway: check with toolcrib calls before you repeat it'

/** True where the server has forgotten the session: it was restarted, or the session was idle for long. */
export function isLostSession(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404
}

/** A JSON-RPC error, or a problem document of the server's. */
function fromBody(text: unknown): RpcError | undefined {
  try {
    const body = JSON.parse(String(text)) as Record<string, unknown>
    const { error, detail, fix, code } = body as Record<string, unknown> & { error?: RpcError }
    if (typeof error?.code === 'number' && typeof error.message === 'string') return error
    if (typeof detail !== 'string') return undefined
    const message = typeof fix === 'string' ? `${detail}. ${fix}` : detail
    return { code: internalError, message, data: { code } }
  } catch {
    return undefined
  }
}

import type { Progress } from '../../core/kernel/call.ts'
import type { ClientLogLevel } from '../../core/kernel/context/caller-client.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { RpcTransport } from './rpc-transport.ts'
import { type JsonRecord, rpcCodes, rpcFaultOf, type RpcId, type RpcMessage } from './messages.ts'
import { type LogLine, type PeerRequestOptions } from './peer.ts'

/** Requests for progress carry a token: the request's own id. */
export function withMeta(params: JsonRecord, id: RpcId, options: PeerRequestOptions): JsonRecord {
  const { meta, onProgress } = options
  if (meta === undefined && onProgress === undefined) return params
  const own = isRecord(params['_meta']) ? params['_meta'] : undefined
  const token = onProgress && { progressToken: id }
  return { ...params, _meta: { ...own, ...meta, ...token } }
}

export function notifyCancelled(transport: RpcTransport, id: RpcId, reason: unknown): void {
  const words = reason instanceof Error ? reason.message.slice(0, 200) : 'cancelled'
  const params = { requestId: id, reason: words }
  transport
    .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    .catch(() => undefined)
}

export function toProgress(params: JsonRecord): Progress {
  const { progress, total, message } = params
  return {
    ...(typeof progress === 'number' && { done: progress }),
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  }
}

export function toLogLine({ level, logger, data }: JsonRecord): LogLine {
  return {
    level: (typeof level === 'string' ? level : 'info') as ClientLogLevel,
    ...(typeof logger === 'string' && { logger }),
    data: data ?? null,
  }
}

export function toFault(error: unknown): NonNullable<RpcMessage['error']> {
  const known = rpcFaultOf(error)
  if (known !== undefined) return known
  const message = error instanceof Error ? error.message : 'The client could not answer'
  return { code: rpcCodes.internal, message }
}

export function tooLarge(bytes: number, maxBytes: number): ToolError {
  return new ToolError(
    'upstream_failed',
    `The answer has over ${Math.min(bytes, maxBytes)} bytes, more than maxResultBytes of this server allows`,
    { retryable: false, details: { isTooLarge: true } },
  )
}

export function tooSlow(method: string, timeoutMs: number): ToolError {
  return new ToolError('timeout', `The server did not answer ${method} within ${timeoutMs} ms`)
}

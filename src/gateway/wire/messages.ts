import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'

export type JsonRecord = Record<string, JsonValue>
export type RpcId = string | number

/** JSON-RPC as sent; the members show which of the three it is. */
export interface RpcMessage {
  jsonrpc: '2.0'
  id?: RpcId
  method?: string
  params?: JsonRecord
  result?: JsonRecord
  error?: RpcFault
}

export interface RpcFault {
  code: number
  message: string
  data?: JsonValue
}

/** Codes of the protocol that mean something to us. */
export const rpcCodes = {
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  unableClient: -32_021,
  unsupportedVersion: -32_022,
} as const

/** True for anything that may be a message; its users check the content. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  if (!isRecord(value)) return false
  const { id, method } = value
  const hasId = typeof id === 'string' || typeof id === 'number'
  return typeof method === 'string' || (hasId && ('result' in value || 'error' in value))
}

/** The server's answer instead of a result. */
export function toRpcFailure(fault: unknown): ToolError {
  const { code, message, data } = isRecord(fault) ? fault : {}
  const said = typeof message === 'string' && message !== '' ? message : 'an error without words'
  const rpc = {
    code: typeof code === 'number' ? code : rpcCodes.internal,
    message: said.slice(0, 20_000),
    ...(data !== undefined && { data }),
  }
  return new ToolError('upstream_failed', rpc.message, { retryable: false, details: { rpc } })
}

/** The server's answer, if the failure is an answer at all. */
export function rpcFaultOf(error: unknown): RpcFault | undefined {
  const rpc = error instanceof ToolError ? error.details['rpc'] : undefined
  return isRecord(rpc) ? (rpc as unknown as RpcFault) : undefined
}

/** The connection ended. `wasSent`: the request had left, so what it asked for may have happened. */
export function connectionLost(reason: string, wasSent: boolean): ToolError {
  return new ToolError('upstream_failed', reason, { details: { isLost: true, wasSent } })
}

export function isLost(error: unknown): error is ToolError {
  return error instanceof ToolError && error.details['isLost'] === true
}

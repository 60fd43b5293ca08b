import type { Progress } from '../../core/call.ts'
import type { ClientLogLevel } from '../../core/client/caller-client.ts'
import { ToolError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import { isRecord } from '../../core/schema/json/json-type.ts'
import type { Channel, SendOptions } from './channel.ts'
import { createFloodGate } from './flood-gate.ts'
import {
  connectionLost,
  type JsonRecord,
  rpcCodes,
  rpcFaultOf,
  type RpcId,
  type RpcMessage,
  toRpcFailure,
} from './messages.ts'

export interface LogLine {
  level: ClientLogLevel
  logger?: string
  data: JsonValue
}

/** What a request wants to hear of beside its answer. */
export interface RequestOptions extends Pick<SendOptions, 'headers' | 'maxBytes'> {
  signal?: AbortSignal
  /** Without one it may take for ever. */
  timeoutMs?: number
  onProgress?(progress: Progress): void
  onLog?(line: LogLine): void
  /** Whose request it is; questions of the server that come meanwhile are put to it. */
  frame?: object
}

/** One end of a conversation in JSON-RPC. */
export interface Peer {
  /** Rejects with upstream_failed (`rpcFaultOf` tells an answer from a lost connection), timeout or the signal's reason. */
  request(method: string, params: JsonRecord, options?: RequestOptions): Promise<JsonRecord>
  notify(method: string, params: JsonRecord): Promise<void>
  /** Requests that wait for their answer. */
  frames(): readonly object[]
  readonly isOpen: boolean
  close(reason?: string): Promise<void>
}

export interface PeerListeners {
  onNotification(method: string, params: JsonRecord): void
  /** A question of the server: its answer, or a rejection with what is to be said instead. */
  onRequest(method: string, params: JsonRecord): Promise<JsonRecord>
  /** Told once, when the connection has ended by itself. */
  onClose(reason: string): void
}

interface Pending {
  resolve(result: JsonRecord): void
  reject(error: unknown): void
  options: RequestOptions
}

/** Talks over this channel from here on. */
export function createPeer(channel: Channel, listeners: PeerListeners): Peer {
  const pending = new Map<RpcId, Pending>()
  const gate = createFloodGate(() => end('it sent more messages than anybody could read'))
  let lastId = 0
  let isOpen = true

  function end(reason: string): void {
    if (!isOpen) return
    isOpen = false
    failAll(reason)
    void channel.close()
    listeners.onClose(reason)
  }
  function failAll(reason: string): void {
    for (const { reject } of pending.values()) reject(connectionLost(reason, true))
    pending.clear()
  }
  function settle(message: RpcMessage, bytes: number): void {
    const waiting = message.id === undefined ? undefined : pending.get(message.id)
    if (waiting === undefined) return
    const { maxBytes = Infinity } = waiting.options
    if (bytes > maxBytes) waiting.reject(tooLarge(bytes, maxBytes))
    else if (message.error !== undefined) waiting.reject(toRpcFailure(message.error))
    else waiting.resolve(isRecord(message.result) ? (message.result as JsonRecord) : {})
  }
  async function answer(id: RpcId, method: string, params: JsonRecord): Promise<void> {
    const reply = await listeners
      .onRequest(method, params)
      .then((result) => ({ result }))
      .catch((error: unknown) => ({ error: toFault(error) }))
    await channel.send({ jsonrpc: '2.0', id, ...reply }).catch(() => undefined)
  }
  function hear(method: string, params: JsonRecord): void {
    if (method === 'notifications/progress') {
      const token = params['progressToken']
      const waiting = pending.get(token as RpcId)
      return waiting?.options.onProgress?.(toProgress(params))
    }
    if (method === 'notifications/message') return logLine(params, pending)
    listeners.onNotification(method, params)
  }
  channel.onMessage = (message, bytes) => {
    if (!isOpen) return
    if (message.method === undefined) return settle(message, bytes)
    if (!gate.pass()) return
    const params = isRecord(message.params) ? message.params : {}
    if (message.id === undefined) return hear(message.method, params)
    if (message.method === 'ping') {
      return void channel
        .send({ jsonrpc: '2.0', id: message.id, result: {} })
        .catch(() => undefined)
    }
    void answer(message.id, message.method, params)
  }
  channel.onOversize = (id, bytes) => {
    const waiting = id === undefined ? undefined : pending.get(id)
    if (waiting === undefined) end(`it sent a message of over ${bytes} bytes`)
    else waiting.reject(tooLarge(bytes, waiting.options.maxBytes ?? bytes))
  }
  channel.onClose = end

  function request(
    method: string,
    params: JsonRecord,
    options: RequestOptions = {},
  ): Promise<JsonRecord> {
    if (!isOpen) return Promise.reject(connectionLost('the connection is closed', false))
    if (options.signal?.aborted === true) return Promise.reject(options.signal.reason as Error)
    const id = ++lastId
    const { promise, resolve, reject } = Promise.withResolvers<JsonRecord>()
    const stream = channel.cancelsByClosing ? new AbortController() : undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const giveUp = (reason: unknown) => {
      if (!pending.has(id)) return
      reject(reason)
      stream?.abort()
      if (stream === undefined && method !== 'initialize') tellCancelled(channel, id, reason)
    }
    const onAbort = () => giveUp(options.signal?.reason)
    const finish = () => {
      pending.delete(id)
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', onAbort)
    }
    pending.set(id, { resolve, reject, options })
    options.signal?.addEventListener('abort', onAbort, { once: true })
    const { timeoutMs } = options
    if (timeoutMs !== undefined) {
      timer = setTimeout(() => giveUp(tooSlow(method, timeoutMs)), timeoutMs)
    }
    const sent = { ...params, ...(options.onProgress && withToken(params, id)) }
    channel
      .send(
        { jsonrpc: '2.0', id, method, params: sent },
        {
          ...(stream !== undefined && { signal: stream.signal }),
          ...(options.headers !== undefined && { headers: options.headers }),
          ...(options.maxBytes !== undefined && { maxBytes: options.maxBytes }),
          onStreamEnd: () => reject(connectionLost('it ended its answer before the result', true)),
        },
      )
      .catch(reject)
    return promise.finally(finish)
  }
  return {
    request,
    notify: (method, params) => channel.send({ jsonrpc: '2.0', method, params }),
    frames: () => [...pending.values()].flatMap(({ options: { frame } }) => frame ?? []),
    get isOpen() {
      return isOpen
    },
    async close(reason = 'the connection was closed') {
      isOpen = false
      failAll(reason)
      await channel.close()
    },
  }
}

function withToken(params: JsonRecord, id: RpcId): { _meta: JsonValue } {
  const meta = isRecord(params['_meta']) ? (params['_meta'] as JsonRecord) : {}
  return { _meta: { ...meta, progressToken: id } }
}

function tellCancelled(channel: Channel, id: RpcId, reason: unknown): void {
  const words = reason instanceof Error ? reason.message.slice(0, 200) : 'cancelled'
  const params = { requestId: id, reason: words }
  channel.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined)
}

function toProgress(params: JsonRecord): Progress {
  const { progress, total, message } = params
  return {
    ...(typeof progress === 'number' && { done: progress }),
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  }
}

/** Log lines name no request: where several run, nobody can tell whose they are, and they are left out. */
function logLine(params: JsonRecord, pending: ReadonlyMap<RpcId, Pending>): void {
  const running = [...pending.values()].filter(({ options }) => options.frame !== undefined)
  const [only] = running
  if (only === undefined || running.length > 1) return
  const { level, logger, data } = params
  only.options.onLog?.({
    level: (typeof level === 'string' ? level : 'info') as ClientLogLevel,
    ...(typeof logger === 'string' && { logger }),
    data: data ?? null,
  })
}

function toFault(error: unknown): NonNullable<RpcMessage['error']> {
  const known = rpcFaultOf(error)
  if (known !== undefined) return known
  const message = error instanceof Error ? error.message : 'The client could not answer'
  return { code: rpcCodes.internal, message }
}

function tooLarge(bytes: number, maxBytes: number): ToolError {
  return new ToolError(
    'upstream_failed',
    `The answer has over ${Math.min(bytes, maxBytes)} bytes, more than maxResultBytes of this server allows`,
    { retryable: false, details: { isTooLarge: true } },
  )
}

function tooSlow(method: string, timeoutMs: number): ToolError {
  return new ToolError('timeout', `The server did not answer ${method} within ${timeoutMs} ms`)
}

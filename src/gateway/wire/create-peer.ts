import { ToolError } from '../../core/kernel/errors.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { RpcTransport, TransportEnd } from './rpc-transport.ts'
import { createFloodGate } from './flood-gate.ts'
import { Pending } from './pending.ts'
import { createStrays } from './strays.ts'
import {
  connectionLost,
  isLost,
  type JsonRecord,
  type RpcId,
  type RpcMessage,
  toRpcFailure,
} from './messages.ts'
import { type PeerRequestOptions, type Peer, type Askers, type PeerListeners } from './peer.ts'
import {
  withMeta,
  notifyCancelled,
  toProgress,
  toLogLine,
  toFault,
  tooLarge,
  tooSlow,
} from './peer-messages.ts'

/** Talks over this transport from here on. */
export function createPeer(transport: RpcTransport, listeners: PeerListeners): Peer {
  return new ChannelPeer(transport, listeners)
}

class ChannelPeer implements Peer {
  readonly #transport: RpcTransport
  readonly #listeners: PeerListeners
  readonly #pending = new Map<RpcId, Pending<PeerRequestOptions>>()
  readonly #held = new Set<object>()
  readonly #strays = createStrays()
  readonly #gate = createFloodGate(() => this.#end('it sent more messages than anybody could read'))
  #lastId = 0
  #isOpen = true
  #isReachable = true
  #closing: Promise<void> | undefined

  constructor(transport: RpcTransport, listeners: PeerListeners) {
    this.#transport = transport
    this.#listeners = listeners
    transport.onMessage = (message, bytes, of) => this.#take(message, bytes, of)
    transport.onOversize = (id, bytes, isWhole) => this.#refuse(id, bytes, isWhole)
    transport.onClose = (reason, ending) => this.#end(reason, ending)
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#isReachable
  }

  get hasStrays(): boolean {
    return this.#strays.isAny
  }

  hold(frame: object): (end: 'done' | 'given up') => void {
    this.#held.add(frame)
    return (end) => {
      this.#held.delete(frame)
      if (end === 'given up') this.#lose(++this.#lastId)
    }
  }

  /** If every request has a stream of its own that was closed, nothing more can arrive. */
  #lose(id: RpcId): void {
    if (!this.#transport.cancelsByClosing) this.#strays.add(id)
  }

  #askers(of: RpcId | undefined): Askers {
    if (of !== undefined) {
      const frame = this.#pending.get(of)?.options.frame
      return { frames: frame === undefined ? [] : [frame], hasStrays: false, isKnown: true }
    }
    const waiting = [...this.#pending.values()].flatMap(({ options: { frame } }) => frame ?? [])
    const frames = [...new Set([...waiting, ...this.#held])]
    return { frames, hasStrays: this.hasStrays, isKnown: false }
  }

  notify(method: string, params: JsonRecord): Promise<void> {
    return this.#transport.send({ jsonrpc: '2.0', method, params })
  }

  async close(reason = 'the connection was closed'): Promise<void> {
    this.#isOpen = false
    this.#failAll(reason)
    await this.#shut()
  }

  request(
    method: string,
    params: JsonRecord,
    options: PeerRequestOptions = {},
  ): Promise<JsonRecord> {
    const { signal, timeoutMs } = options
    if (!this.#isOpen) return Promise.reject(connectionLost('the connection is closed', false))
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    const id = ++this.#lastId
    const giveUp = (reason: unknown) => this.#giveUp(id, method, reason)
    const onAbort = () => giveUp(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => giveUp(tooSlow(method, timeoutMs)), timeoutMs)
    const forget = () => {
      this.#pending.delete(id)
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const stream = this.#transport.hasStreams ? new AbortController() : undefined
    const waiting = new Pending({ options, stream, forget })
    this.#pending.set(id, waiting)
    this.#send({ jsonrpc: '2.0', id, method, params: withMeta(params, id, options) }, waiting)
    return waiting.answer
  }

  #send(message: RpcMessage & { id: RpcId }, waiting: Pending<PeerRequestOptions>): void {
    const { stream } = waiting
    if (stream === undefined) {
      this.#transport.send(message).catch((error: unknown) => waiting.reject(error))
      return
    }
    const fail = (error: unknown) => {
      if (isLost(error) && error.details['wasSent'] === false) this.#leave(error.message)
      waiting.reject(error)
    }
    const { headers, maxBytes } = waiting.options
    const end = (fault?: unknown) => {
      const isKnown = fault instanceof ToolError
      fail(isKnown ? fault : connectionLost('it ended its answer before the result', true))
    }
    this.#transport
      .send(message, {
        signal: stream.signal,
        ...(headers !== undefined && { headers }),
        ...(maxBytes !== undefined && { maxBytes }),
        onStreamEnd: end,
      })
      .catch(fail)
  }

  #giveUp(id: RpcId, method: string, reason: unknown): void {
    const waiting = this.#pending.get(id)
    if (waiting === undefined) return
    waiting.reject(reason)
    if (waiting.options.frame !== undefined) this.#lose(id)
    const isTold = !this.#transport.cancelsByClosing && method !== 'initialize'
    if (isTold) notifyCancelled(this.#transport, id, reason)
    // Also if that means nothing to the server: an answer nobody waits for would keep its
    // connection.
    waiting.stream?.abort()
  }

  #leave(reason: string): void {
    if (!this.isOpen) return
    this.#isReachable = false
    this.#listeners.onUnreachable(reason)
  }

  #end(reason: string, ending?: TransportEnd): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#failAll(reason, ending?.unsent)
    void this.#shut()
    this.#listeners.onClose(reason, ending)
  }

  /** Once: a process that has exited must not be signalled again. */
  #shut(): Promise<void> {
    this.#closing ??= this.#transport.close()
    return this.#closing
  }

  #failAll(reason: string, unsent?: RpcId): void {
    for (const id of this.#pending.keys()) {
      const waiting = this.#pending.get(id)
      waiting?.reject(connectionLost(reason, id !== unsent))
      waiting?.stream?.abort()
    }
  }

  #take(message: RpcMessage, bytes: number, of: RpcId | undefined): void {
    if (!this.#isOpen) return
    if (message.method === undefined) return this.#settle(message, bytes)
    if (!this.#gate.pass()) return
    const params = isRecord(message.params) ? message.params : {}
    if (message.id === undefined) this.#hear(message.method, params, of)
    else void this.#answer({ ...message, id: message.id }, params, of)
  }

  #settle(message: RpcMessage, bytes: number): void {
    const waiting = message.id === undefined ? undefined : this.#pending.get(message.id)
    if (waiting === undefined) return this.#strays.end(message.id)
    const { maxBytes = Infinity } = waiting.options
    if (bytes > maxBytes) waiting.reject(tooLarge(bytes, maxBytes))
    else if (message.error !== undefined) waiting.reject(toRpcFailure(message.error))
    else waiting.resolve(isRecord(message.result) ? message.result : {})
  }

  #refuse(id: RpcMessage['id'], bytes: number, isWhole: boolean): void {
    // Where one request waits alone, what comes is its answer.
    const [only] = this.#pending.size === 1 && id === undefined ? this.#pending.keys() : []
    const waiting = this.#pending.get(id ?? only ?? 0)
    if (waiting !== undefined) waiting.reject(tooLarge(bytes, waiting.options.maxBytes ?? bytes))
    else if (isWhole && id === undefined) this.#end(`it sent a message of over ${bytes} bytes`)
  }

  #hear(method: string, params: JsonRecord, of: RpcId | undefined): void {
    if (method === 'notifications/progress') {
      const waiting = this.#pending.get(params['progressToken'] as RpcId)
      return waiting?.options.onProgress?.(toProgress(params))
    }
    if (method === 'notifications/message') return this.#log(params, of)
    this.#listeners.onNotification(method, params)
  }

  /** Log lines name no request: if their call is not certain, they are dropped. */
  #log(params: JsonRecord, of: RpcId | undefined): void {
    const { frames, hasStrays } = this.#askers(of)
    const [frame] = frames
    if (frame === undefined || frames.length > 1 || hasStrays) return
    for (const { options } of this.#pending.values()) {
      if (options.frame === frame) return options.onLog?.(toLogLine(params))
    }
  }

  async #answer(
    { id, method = '' }: RpcMessage & { id: RpcId },
    params: JsonRecord,
    of: RpcId | undefined,
  ): Promise<void> {
    const asked =
      method === 'ping'
        ? Promise.resolve({})
        : this.#listeners.onRequest(method, params, this.#askers(of))
    const reply = await asked.then(
      (result) => ({ result }),
      (error: unknown) => ({ error: toFault(error) }),
    )
    await this.#transport.send({ jsonrpc: '2.0', id, ...reply }).catch(() => undefined)
  }
}

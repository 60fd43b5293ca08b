import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { isLostSession, type RpcError, toRpcError } from './bridge-error.ts'
import { createParamHeaders } from './param-headers.ts'
import { invalidRequest } from './read-lines.ts'
import { createSessionWishes } from './session-wishes.ts'

export interface ServerLineOptions {
  /** Of the server's MCP endpoint. */
  url: string
  fetch(url: string, init: RequestInit): Promise<Response>
  onWarning(message: string): void
}

type Id = string | number

/** The line for what comes by itself is wanted for as long as the client is there. */
const reconnectionOptions = {
  initialReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1.5,
  maxReconnectionDelay: 30_000,
  maxRetries: Infinity,
}

/** A request of the client that is not answered yet. */
interface Pending {
  /** Modern ones are cancelled by letting go of their answer. */
  isModern: boolean
  controller: AbortController
}

/**
 * The server's end of a bridge: messages of one client go to the server, its messages come back.
 */
export class ServerLine {
  readonly #options: ServerLineOptions
  readonly #send: (message: JSONRPCMessage) => void
  readonly #pending = new Map<Id, Pending>()
  readonly #params = createParamHeaders()
  readonly #wishes = createSessionWishes()
  #http: StreamableHTTPClientTransport
  /** How the client of an older era began: a session that is lost is begun again with it. */
  #opening: JSONRPCRequest | undefined
  #reopening: Promise<void> | undefined
  #isClosed = false

  constructor(options: ServerLineOptions, send: (message: JSONRPCMessage) => void) {
    this.#options = options
    this.#send = send
    this.#http = this.#open()
  }

  /** Passes one message of the client to the server. */
  pass(message: JSONRPCMessage): void {
    this.#wishes.note(message)
    if ('method' in message && 'id' in message) {
      if (this.#pending.has(message.id)) return this.#refuseSame(message.id)
      const isOpening = message.method === 'initialize'
      const request = isOpening ? withStayingLine(message) : message
      if (isOpening) this.#opening = request
      void this.#request(request)
      return
    }
    const cancelled = cancelledId(message)
    if (cancelled !== undefined && this.#cancel(cancelled)) return
    this.#http.send(message).catch((error: unknown) => {
      this.#options.onWarning(toRpcError(error).message)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { controller } of this.#pending.values()) controller.abort()
    this.#pending.clear()
    await this.#http.terminateSession().catch(() => undefined)
    await this.#http.close()
  }

  #open(): StreamableHTTPClientTransport {
    const transport = new StreamableHTTPClientTransport(new URL(this.#options.url), {
      fetch: (url, init) => this.#options.fetch(url.toString(), init ?? {}),
      reconnectionOptions,
    })
    void transport.start()
    return Object.assign(transport, {
      onmessage: (message: JSONRPCMessage) => this.#receive(message),
      onerror: (fault: Error) => void this.#attend(fault, transport),
    })
  }

  /**
   * A session that is lost while the client is idle is reopened as well, because it receives
   * notifications.
   */
  async #attend(fault: Error, transport: StreamableHTTPClientTransport): Promise<void> {
    if (this.#isClosed) return
    this.#options.onWarning(fault.message)
    // If the server cannot be reached, the next request and the next check of the stream try again.
    if (isLostSession(fault)) await this.#reopen(transport).catch(() => undefined)
  }

  #receive(message: JSONRPCMessage): void {
    this.#params.learn(message)
    if (!('method' in message)) {
      if (message.id === this.#opening?.id) followVersion(this.#http, message)
      if (message.id === undefined || !this.#pending.delete(message.id)) return
    }
    this.#send(message)
  }

  async #request(request: JSONRPCRequest): Promise<void> {
    const { id, method } = request
    const controller = new AbortController()
    const entry = { isModern: isModern(request), controller }
    this.#pending.set(id, entry)
    const fail = (error: unknown) => {
      // One that was cancelled may have left its id to another.
      if (this.#pending.get(id) === entry) this.#fail(id, toRpcError(error, method))
    }
    const send = (http: StreamableHTTPClientTransport) =>
      http.send(request, {
        requestSignal: controller.signal,
        headers: this.#params.headersOf(request),
        // A stream that ends without an answer will not bring one any more.
        onRequestStreamEnd: () => fail(new Error('the connection was cut')),
      })
    const http = this.#http
    try {
      await send(http).catch(async (error: unknown) => {
        if (!isLostSession(error) || !this.#hasSession(request)) throw error
        await this.#reopen(http)
        await send(this.#http)
      })
    } catch (error) {
      if (!controller.signal.aborted) fail(error)
    }
  }

  #hasSession(request: JSONRPCRequest): boolean {
    return this.#opening !== undefined && request !== this.#opening && !isModern(request)
  }

  #fail(id: Id, error: RpcError): void {
    this.#pending.delete(id)
    this.#send({ jsonrpc: '2.0', id, error })
  }

  /** Neither answers nor a cancel would find the right one of two. */
  #refuseSame(id: Id): void {
    const message = 'A request with this id is already running'
    this.#send({ jsonrpc: '2.0', id, error: { code: invalidRequest, message } })
  }

  #cancel(id: Id): boolean {
    const entry = this.#pending.get(id)
    if (entry === undefined) return false
    // Nothing is answered any more, and the client may use the id again.
    this.#pending.delete(id)
    // In a session the server is notified; outside one it would not know which request is meant.
    if (!entry.isModern && this.#http.sessionId !== undefined) return false
    entry.controller.abort()
    return true
  }

  /** The server knows nothing of this session any more: it is begun again, once, unseen by the client. */
  #reopen(lost: StreamableHTTPClientTransport): Promise<void> {
    if (lost !== this.#http || this.#opening === undefined) return Promise.resolve()
    this.#reopening ??= this.#beginAgain().finally(() => (this.#reopening = undefined))
    return this.#reopening
  }

  async #beginAgain(): Promise<void> {
    const before = this.#http
    const http = this.#open()
    try {
      await this.#introduce(http)
      if (this.#isClosed) throw new Error('the client has left')
      await http.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    } catch (error) {
      await http.terminateSession().catch(() => undefined)
      await http.close()
      throw error
    }
    this.#http = http
    await before.close()
    await this.#restore(http)
  }

  /** Repeats the client's initialisation. */
  async #introduce(http: StreamableHTTPClientTransport): Promise<void> {
    const { promise: answered, resolve, reject } = Promise.withResolvers<void>()
    const id = againId()
    const onmessage = (message: JSONRPCMessage) => {
      if ('method' in message || message.id !== id) return this.#receive(message)
      followVersion(http, message)
      if ('error' in message) reject(new Error(message.error.message))
      else resolve()
    }
    Object.assign(http, { onmessage })
    const params = this.#opening?.params
    const begin = { jsonrpc: '2.0', method: 'initialize', params, id } as const
    const onRequestStreamEnd = () => reject(new Error('the connection was cut'))
    await Promise.all([answered, http.send(begin, { onRequestStreamEnd })])
  }

  /**
   * The answers are not passed on; a subscription that cannot be restored ends for the client as
   * well.
   */
  async #restore(http: StreamableHTTPClientTransport): Promise<void> {
    for (const wish of this.#wishes.list()) {
      await http.send({ jsonrpc: '2.0', id: againId(), ...wish }).catch(() => undefined)
    }
    for (const message of this.#wishes.missed()) this.#send(message)
  }
}

function againId(): string {
  return `again ${crypto.randomUUID()}`
}

/** A client on a pipe receives notifications, so the server must open a session for it. */
function withStayingLine(opening: JSONRPCRequest): JSONRPCRequest {
  const capabilities: unknown = opening.params?.['capabilities']
  if (typeof capabilities !== 'object' || capabilities === null) return opening
  const { experimental } = capabilities as { experimental?: object }
  const announced = { ...capabilities, experimental: { ...experimental, 'toolcrib/line': {} } }
  return { ...opening, params: { ...opening.params, capabilities: announced } }
}

/**
 * In earlier protocol versions, the agreed version is sent in the headers of all later requests.
 */
function followVersion(http: StreamableHTTPClientTransport, answer: JSONRPCMessage): void {
  const version = 'result' in answer ? answer.result['protocolVersion'] : undefined
  if (typeof version === 'string') http.setProtocolVersion(version)
}

function isModern({ params }: JSONRPCRequest): boolean {
  return params?.['_meta']?.['io.modelcontextprotocol/protocolVersion'] !== undefined
}

function cancelledId(message: JSONRPCMessage): Id | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.['requestId']
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  InsufficientScopeError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { fetch as fetchOver } from 'undici'
import { ToolError } from '../../core/kernel/errors.ts'
import type { RpcTransport, SendOptions } from '../wire/rpc-transport.ts'
import { connectionLost, isRpcMessage, type RpcId, type RpcMessage } from '../wire/messages.ts'
import type { UpstreamAuth } from '../oauth/upstream-auth.ts'
import { boundResponse } from './bounded-body.ts'
import { createDirectPost } from './direct-post.ts'
import { type HttpOptions, isBeforeSending } from './http-options.ts'

/**
 * Talks to a server over HTTP. Sign-in, sessions and streams that are taken up again are the SDK's
 * transport; once the server is known to be modern, requests go straight out over kept connections,
 * which costs a tenth, and come back to the transport only where the server wants a sign-in.
 */
export function openHttp(options: HttpOptions): RpcTransport {
  return new HttpTransport(options)
}

/** A server that does not answer a goodbye is left without one. */
const goodbyeMs = 500

type SdkMessage = Parameters<StreamableHTTPClientTransport['send']>[0]

class HttpTransport implements RpcTransport {
  onMessage: RpcTransport['onMessage'] = () => undefined
  onOversize: RpcTransport['onOversize'] = () => undefined
  onClose: RpcTransport['onClose'] = () => undefined
  readonly #transport: StreamableHTTPClientTransport
  readonly #direct: ReturnType<typeof createDirectPost>
  readonly #auth: HttpOptions['auth']
  /** The request on whose stream the transport reads: it reports messages without their stream. */
  readonly #sender = new AsyncLocalStorage<RpcId | undefined>()
  #isModern = false
  #isOver = false
  #hasStarted = false

  constructor(options: HttpOptions) {
    const { url, auth, headers } = options
    this.#auth = auth
    this.#direct = createDirectPost(options, (...message) => this.onMessage(...message))
    this.#transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      ...(auth !== undefined && { authProvider: auth }),
      fetch: boundedFetch(options, (id) => this.onOversize(id, options.maxBytes, true)),
    })
    Object.assign(this.#transport, {
      onmessage: (message: unknown) => {
        if (this.#isOver || !isRpcMessage(message)) return
        this.onMessage(message, sizeOf(message), this.#sender.getStore())
      },
      // A failure of a request is reported to its sender.
      onerror: () => undefined,
    })
  }

  readonly hasStreams = true

  get cancelsByClosing(): boolean {
    return this.#isModern
  }

  errorOutput(): string {
    return ''
  }

  agree(version: string, era: 'modern' | 'legacy'): void {
    this.#isModern = era === 'modern'
    this.#transport.setProtocolVersion(version)
  }

  async send(message: RpcMessage, sending: SendOptions = {}): Promise<void> {
    if (this.#isOver) throw connectionLost('the connection is closed', false)
    const mayGoStraight = this.#isModern && message.method !== undefined
    if (mayGoStraight && (await this.#direct(message, sending))) return
    try {
      await this.#sendByTransport(message, sending)
    } catch (error) {
      if (error instanceof InsufficientScopeError) await stepUp(this.#auth, error.requiredScope)
      // Nothing was done, and a new session is needed.
      const isForgotten = this.#transport.sessionId !== undefined && namesSession(error)
      throw isForgotten ? await this.#forget(message) : toFailure(error)
    }
  }

  async close(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    const transport = this.#transport
    const bye = transport.sessionId === undefined ? undefined : transport.terminateSession()
    const late = new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref())
    if (bye !== undefined) await Promise.race([bye.catch(() => undefined), late])
    await transport.close()
  }

  async #sendByTransport(message: RpcMessage, sending: SendOptions): Promise<void> {
    if (!this.#hasStarted) await this.#transport.start()
    this.#hasStarted = true
    const { signal, headers, onStreamEnd } = sending
    const options = {
      ...(signal !== undefined && { requestSignal: signal }),
      ...(headers !== undefined && { headers: { ...headers } }),
      ...(onStreamEnd !== undefined && { onRequestStreamEnd: onStreamEnd }),
    }
    // The one stream that belongs to no request is opened by a notification, which has no id.
    const sender = message.method === undefined ? undefined : message.id
    await this.#sender.run(sender, () => this.#transport.send(message as SdkMessage, options))
  }

  async #forget({ id }: RpcMessage): Promise<Error> {
    const reason = 'the server has forgotten the session'
    this.#isOver = true
    await this.#transport.close()
    this.onClose(reason, { isForgotten: true, unsent: id })
    return connectionLost(reason, false)
  }
}

/** The transport reports no sizes. Only answers have a limit. */
function sizeOf(message: RpcMessage): number {
  if (message.method !== undefined) return 0
  try {
    return JSON.stringify(message).length
  } catch {
    // Nested too deep to serialise: a reader with a limit must not get it, the others check
    // themselves.
    return Infinity
  }
}

/** More than the token allows: the signer of the requests knows how to get it. */
async function stepUp(auth: HttpOptions['auth'], scope: string | undefined): Promise<void> {
  if (auth !== undefined && 'stepUp' in auth) await (auth as UpstreamAuth).stepUp(scope)
}

/** The SDK's requests: through our dispatcher, and never more than may be held. */
const fetch = fetchOver as unknown as typeof globalThis.fetch

function boundedFetch(
  { dispatcher, maxBytes }: HttpOptions,
  onTooLarge: (id: RpcMessage['id']) => void,
) {
  return async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, { ...init, dispatcher } as RequestInit)
    return boundResponse(response, { maxBytes, onTooLarge: () => tellWhose(init, onTooLarge) })
  }
}

/**
 * The transport treats a broken body as a broken connection, so waiting readers are notified first.
 */
function tellWhose(init: RequestInit | undefined, tell: (id: RpcMessage['id']) => void): void {
  if (typeof init?.body !== 'string') return
  const { id } = JSON.parse(init.body) as RpcMessage
  if (id !== undefined) tell(id)
}

/**
 * Whether the server does not know the session. The protocol requires 404; many answer 400, which
 * may mean other things too.
 */
function namesSession(error: unknown): boolean {
  const status = statusOf(error)
  return status === 404 || (status === 400 && /session|not initiali[sz]ed/i.test(bodyOf(error)))
}

function statusOf(error: unknown): number | undefined {
  return error instanceof SdkHttpError ? error.status : undefined
}

function causeOf(error: unknown): Error | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause : undefined
}

function refusedWith(status: number, said: string, error: unknown): ToolError {
  return new ToolError('upstream_failed', `The server answered ${status}: ${said.slice(0, 500)}`, {
    retryable: status >= 500 || status === 429,
    details: { status, body: bodyOf(error) },
    cause: error,
  })
}

/** In our words. A request that got no answer at all may still have been carried out. */
function toFailure(error: unknown): Error {
  if (error instanceof ToolError) return error
  if (error instanceof Error && error.cause instanceof ToolError) return error.cause
  const status = statusOf(error)
  if (error instanceof UnauthorizedError || status === 401) {
    return new ToolError('upstream_failed', 'The server asks for a sign-in', {
      retryable: false,
      details: { needsSignIn: true },
      cause: error,
    })
  }
  const said = error instanceof Error ? error.message : String(error)
  if (status !== undefined) return refusedWith(status, said, error)
  const cause = causeOf(error)
  const wasSent = !isBeforeSending(cause ?? error)
  return connectionLost(
    `it could not be reached: ${(cause?.message ?? said).slice(0, 500)}`,
    wasSent,
  )
}

function bodyOf(error: unknown): string {
  const text = error instanceof SdkHttpError ? error.data.text : undefined
  return typeof text === 'string' ? text.slice(0, 10_000) : ''
}

import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { NodeBindings } from '../reply.ts'

export type HttpContext = Context<{ Bindings: NodeBindings }>

/** A request as the routes read it, whichever path it came by. */
export interface HttpRequest {
  readonly method: string
  /** The absolute address, with its query. */
  readonly url: string
  readonly path: string
  /** The address of the socket: a proxy's, if there is one. Absent without a socket. */
  readonly address?: string
  /** Node's request; absent without a socket. */
  readonly incoming?: IncomingMessage
  header(name: string): string | undefined
  /** A part of the path. */
  param(name: string): string | undefined
  /** Aborted when the client hangs up. Made when it is asked for: most requests never do. */
  readonly signal: AbortSignal
  /** Breaks the connection, so that the answer is seen to be cut. False where there is no socket. */
  hangUp?(): boolean
  /** The body, of at most `maxBytes`: beyond that it calls `refuse` for what to throw. */
  readBytes(maxBytes: number, refuse: () => Error): Promise<Uint8Array>
  /** The body as it comes, for what is too large to hold; once. */
  readParts(): AsyncIterable<Uint8Array>
}

/** Calls the listener when the client hangs up, at once when it already has. */
export function onHangUp({ signal }: HttpRequest, listener: () => void): void {
  if (signal.aborted) listener()
  else signal.addEventListener('abort', listener, { once: true })
}

/** The request of a Hono handler. */
export function fromContext(context: HttpContext): HttpRequest {
  return new ContextRequest(context)
}

/** A class: getters in a literal would give every request a hidden class that outlives it. */
class ContextRequest implements HttpRequest {
  readonly #context: HttpContext
  readonly method: string
  readonly url: string
  readonly path: string

  constructor(context: HttpContext) {
    const { req } = context
    this.#context = context
    this.method = req.method
    this.url = req.url
    this.path = req.path
  }

  get address(): string | undefined {
    return this.#context.env?.incoming?.socket.remoteAddress
  }

  get incoming(): IncomingMessage | undefined {
    return this.#context.env?.incoming
  }

  get signal(): AbortSignal {
    return this.#context.req.raw.signal
  }

  hangUp(): boolean {
    const outgoing = this.#context.env?.outgoing
    outgoing?.destroy()
    return outgoing !== undefined
  }

  header(name: string): string | undefined {
    return this.#context.req.header(name)
  }

  param(name: string): string | undefined {
    return this.#context.req.param(name)
  }

  readBytes(maxBytes: number, refuse: () => Error): Promise<Uint8Array> {
    return readWebBody(this.#context.req.raw, maxBytes, refuse)
  }

  readParts(): AsyncGenerator<Uint8Array> {
    return readWebParts(this.#context.req.raw)
  }
}

async function* readWebParts({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body !== null) yield* body
}

async function readWebBody(request: Request, maxBytes: number, refuse: () => Error) {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > maxBytes) throw refuse()
  // With a declared length the HTTP parser itself ends the body there.
  if (declared !== null) return new Uint8Array(await request.arrayBuffer())
  if (request.body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of request.body) {
    total += chunk.byteLength
    if (total > maxBytes) throw refuse()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, total)
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpRequest } from './request/http-request.ts'
import { readBytes } from './read-bytes.ts'
import { writeReply } from './reply.ts'
import type { Route } from './route.ts'
import { answerRoute } from './serve-route.ts'
import type { HttpGate } from './serve-route.ts'

/** Takes a request and answers true, or leaves it to the app. */
export type FastPath = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

const plainCall = /^\/api\/v1\/tools\/([\w.:-]{1,200})\/calls$/

/**
 * A shortcut for plain tool calls: the same route as in the app, without a web Request and a router
 * in between. A recorded read takes 52 µs of CPU with it and 60 µs without. Anything unusual (a
 * stream, a body of unknown or excessive length, an escaped name, a page of another origin) goes
 * through the app.
 */
export function createFastPath(gate: HttpGate, route: Route): FastPath {
  const { maxBodyBytes } = gate.door.limits
  return function takeRequest(incoming, outgoing) {
    if (incoming.method !== 'POST') return false
    const path = incoming.url ?? ''
    const name = plainCall.exec(path)?.[1]
    if (name === undefined) return false
    const { headers } = incoming
    const length = headers['content-length']
    if (length === undefined || Number(length) > maxBodyBytes) return false
    if (headers.accept?.includes('text/event-stream') === true) return false
    if (headers.origin !== undefined && gate.pages !== undefined) return false
    void answer(gate, route, { outgoing, request: new NodeRequest(incoming, outgoing, name) })
    return true
  }
}

interface PendingDialog {
  outgoing: ServerResponse
  request: HttpRequest
}

async function answer(
  gate: HttpGate,
  route: Route,
  { outgoing, request }: PendingDialog,
): Promise<void> {
  const requestId = gate.toRequestId(request.header('x-request-id'))
  const reply = await answerRoute(gate, route, { request, requestId })
  try {
    writeReply(reply, requestId, outgoing)
  } catch (error) {
    // Nobody awaits this fastPath: what escaped from it would end the process.
    gate.onFault({ error, requestId, method: request.method, path: request.path })
    outgoing.destroy()
  }
}

/** A class, not an object of closures: one is made for every call, and its methods are made once. */
class NodeRequest implements HttpRequest {
  readonly method = 'POST'
  readonly path: string
  readonly incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #name: string

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, name: string) {
    this.path = incoming.url ?? ''
    this.incoming = incoming
    this.#outgoing = outgoing
    this.#name = name
  }

  get address(): string | undefined {
    return this.incoming.socket.remoteAddress
  }

  get url(): string {
    return `http://${this.incoming.headers.host ?? 'localhost'}${this.path}`
  }

  get signal(): AbortSignal {
    const controller = new AbortController()
    if (this.#outgoing.closed) controller.abort()
    else this.#outgoing.once('close', () => controller.abort())
    return controller.signal
  }

  header(name: string): string | undefined {
    const value = this.incoming.headers[name]
    return typeof value === 'string' ? value : undefined
  }

  param(): string {
    return this.#name
  }

  async *readParts(): AsyncGenerator<Uint8Array> {
    yield await this.readBytes()
  }

  readBytes(): Promise<Uint8Array> {
    return readBytes(this.incoming)
  }
}

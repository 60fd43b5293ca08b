import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpRequest } from './http-request.ts'
import { writeReply } from './reply.ts'
import type { Route } from './route.ts'
import { answerRoute } from './serve-route.ts'
import type { Entrance } from './serve-route.ts'

/** Takes a request and answers true, or leaves it to the app. */
export type FastLane = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

const plainCall = /^\/api\/v1\/tools\/([\w.:-]{1,200})\/calls$/

/**
 * The short way for plain tool calls: the same route as in the app, without a web Request and a
 * router in between, which cost more than the rest of the door. Anything unusual (a stream, a body
 * of unknown or excessive length, an escaped name) takes the long way.
 */
export function createFastLane(entrance: Entrance, route: Route): FastLane {
  const { maxBodyBytes } = entrance.door.limits
  return function takeRequest(incoming, outgoing) {
    if (incoming.method !== 'POST') return false
    const path = incoming.url ?? ''
    const name = plainCall.exec(path)?.[1]
    if (name === undefined) return false
    const { headers } = incoming
    const length = headers['content-length']
    if (length === undefined || Number(length) > maxBodyBytes) return false
    if (headers.accept?.includes('text/event-stream') === true) return false
    void answer(entrance, route, {
      incoming,
      outgoing,
      request: fromNode(incoming, outgoing, name),
    })
    return true
  }
}

interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  request: HttpRequest
}

async function answer(
  entrance: Entrance,
  route: Route,
  { outgoing, request }: Exchange,
): Promise<void> {
  const requestId = entrance.toRequestId(request.header('x-request-id'))
  writeReply(await answerRoute(entrance, route, { request, requestId }), requestId, outgoing)
}

function fromNode(incoming: IncomingMessage, outgoing: ServerResponse, name: string): HttpRequest {
  return {
    method: 'POST',
    path: incoming.url ?? '',
    get url() {
      return `http://${incoming.headers.host ?? 'localhost'}${incoming.url ?? ''}`
    },
    header(header) {
      const value = incoming.headers[header]
      return typeof value === 'string' ? value : undefined
    },
    param: () => name,
    get signal() {
      const controller = new AbortController()
      outgoing.once('close', () => controller.abort())
      return controller.signal
    },
    // Its length is declared and checked, and the HTTP parser ends the body there.
    readBytes: () => readIncoming(incoming),
  }
}

function readIncoming(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const [first] = chunks
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
    })
    // A client that leaves in the middle: closed without an end. After the end this does nothing.
    incoming.on('close', () => reject(new Error('The connection closed')))
    incoming.on('error', reject)
  })
}

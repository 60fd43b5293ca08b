import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Problem } from './problem.ts'

/** The node server's values for the app; absent when a test calls the app directly. */
export interface NodeBindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
}

/** An answer before it is written. `headers` are name and value in turn. */
export interface Reply {
  status: number
  type: string
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
  headers?: readonly string[]
  /** Instead of the strict one for the API. */
  contentSecurityPolicy?: string
  cacheControl?: string
  /** Called when the connection is done with a stream, in whatever way. */
  onClose?: () => void
}

export const apiPolicy = "default-src 'none'; frame-ancestors 'none'"
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const fixedHeaders = [
  'x-content-type-options',
  'nosniff',
  'cross-origin-resource-policy',
  'same-origin',
] as const

/** A JSON answer. */
export function json(status: number, value: unknown, headers?: readonly string[]): Reply {
  return { status, type: 'application/json', body: JSON.stringify(value), headers }
}

/** An answer without a body. */
export function empty(status: number, headers?: readonly string[]): Reply {
  return { status, type: '', body: null, headers }
}

/** A problem+json answer, with the headers that belong to its status. */
export function problemReply(problem: Problem, headers: readonly string[] = []): Reply {
  const more = [...headers]
  if (problem.status === 401) more.push('www-authenticate', 'Bearer realm="toolcrib"')
  const after = retryAfterSeconds(problem)
  if (after !== undefined) more.push('retry-after', String(after))
  const body = JSON.stringify(problem)
  return { status: problem.status, type: 'application/problem+json', body, headers: more }
}

/**
 * In a second unless the problem has a better value. A limit that never admits the request gives
 * none.
 */
function retryAfterSeconds({ status, code, retryAfterMs, retryable }: Problem): number | undefined {
  if (retryAfterMs !== undefined) return Math.max(1, Math.ceil(retryAfterMs / 1000))
  if (code === 'budget_exceeded' || (code === 'rate_limited' && !retryable)) return undefined
  return status === 429 || status === 503 ? 1 : undefined
}

/** A page for people. No script runs on it; its one style sheet is our own. */
export function page(status: number, html: string, headers?: readonly string[]): Reply {
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: html,
    headers,
    contentSecurityPolicy: pagePolicy,
  }
}

/**
 * Answers a Hono handler. On the node server it writes to the socket itself: making a web Response
 * for every answer costs more than half of the throughput, and the usual way around that (replacing
 * the global Response by a lighter class) breaks `instanceof Response` for every tool in the process.
 */
export function sendReply(reply: Reply, requestId: string, bindings: NodeBindings): Response {
  const { outgoing } = bindings
  if (reply.onClose !== undefined && outgoing !== undefined) onceClosed(outgoing, reply.onClose)
  if (outgoing === undefined || reply.body instanceof ReadableStream) {
    const headers = toPairs(toHeaders(reply, requestId))
    return new Response(reply.body, { status: reply.status, headers })
  }
  writeReply(reply, requestId, outgoing)
  return RESPONSE_ALREADY_SENT
}

/** An answer may be over before a byte of its stream was read, and then nobody cancels the stream. */
function onceClosed(outgoing: ServerResponse, listener: () => void): void {
  if (outgoing.closed) listener()
  else outgoing.once('close', listener)
}

/** Writes an answer that is not a stream. */
export function writeReply(reply: Reply, requestId: string, outgoing: ServerResponse): void {
  // A caller that hung up in the meantime cannot be answered.
  if (outgoing.destroyed) return
  const { body } = reply
  if (body instanceof ReadableStream) throw new TypeError('A stream needs a web Response')
  const headers = toHeaders(reply, requestId)
  // Without a length Node would send an empty answer in chunks.
  if (reply.status !== 204 && reply.status !== 304) {
    headers.push('content-length', String(Buffer.byteLength(body ?? '')))
  }
  outgoing.writeHead(reply.status, headers)
  if (body === null) outgoing.end()
  else outgoing.end(body)
}

function toHeaders(reply: Reply, requestId: string): string[] {
  const headers: string[] = [
    'x-request-id',
    requestId,
    'cache-control',
    reply.cacheControl ?? 'no-store',
    'content-security-policy',
    reply.contentSecurityPolicy ?? apiPolicy,
    ...fixedHeaders,
    'referrer-policy',
    // Without it browsers say "Origin: null" when a form of ours is sent, and the form would be refused.
    reply.contentSecurityPolicy === pagePolicy ? 'same-origin' : 'no-referrer',
  ]
  if (reply.type !== '') headers.push('content-type', reply.type)
  if (reply.headers !== undefined) headers.push(...reply.headers)
  return headers
}

function toPairs(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([flat[i] ?? '', flat[i + 1] ?? ''])
  return pairs
}

import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError, isToolError } from '../../core/kernel/errors.ts'
import { compilePermissions } from '../../core/policy/permissions.ts'
import { compressReply } from './compress-reply.ts'
import type { CrossOrigin } from './cross-origin.ts'
import { fromContext } from './request/http-request.ts'
import type { HttpContext, HttpRequest } from './request/http-request.ts'
import type { Identify } from './request/identify.ts'
import { parseWith } from '../../core/operations/parse-with.ts'
import { toQueryObject } from './request/query-object.ts'
import { toProblem, toProblemSource } from './problem.ts'
import { problemReply, sendReply } from './reply.ts'
import type { Reply } from './reply.ts'
import { readJsonBody } from './request/request-body.ts'
import type { Door, PublicRoute, Route, RouteBody } from './route.ts'

/** A failure that nobody expected, for the log. */
export interface Fault {
  error: unknown
  requestId: string
  method: string
  path: string
}

/** The dependencies of admitting requests. */
export interface HttpGate {
  door: Door
  identify: Identify
  toRequestId(given: string | undefined): string
  onFault(fault: Fault): void
  onCaller?: ((incoming: IncomingMessage, caller: Caller) => void) | undefined
  /** Pages of other origins that may use the API; absent where none may. */
  pages?: CrossOrigin
}

export type HttpHandler = (context: HttpContext) => Promise<Response>

interface NamedRequest {
  request: HttpRequest
  requestId: string
}

/**
 * The whole way of a request for a caller: key, query, body, handler. One function and no chain of
 * middlewares, which takes Hono several times as long. Never rejects.
 */
export async function answerRoute(
  gate: HttpGate,
  route: Route,
  { request, requestId }: NamedRequest,
): Promise<Reply> {
  const { door } = gate
  try {
    const caller = await gate.identify(request, route.method === 'get' ? 'read' : 'change')
    const query = readQuery(route, request)
    const body = isParsedHere(route) ? await readBody(route.body, request, door) : undefined
    const recheck = async () => assertHoldsStill(caller, await gate.identify(request, 'again'))
    const asked = { door, caller, requestId, query, body, request, recheck }
    const reply = await route.handle(asked)
    return request.method === 'HEAD' ? await withoutStream(reply) : reply
  } catch (error) {
    return toRefusal(gate, error, { request, requestId })
  }
}

/**
 * An open answer shows what its reader was allowed when it began. A reader that has lost a
 * permission since, such as a demoted member, has to ask again.
 */
export function assertHoldsStill(before: Caller, now: Caller): void {
  if (before.permissions === now.permissions) return
  const held = compilePermissions(now.permissions)
  if (before.permissions.every((permission) => held.has(permission))) return
  throw new ToolError('forbidden', 'What you may do has changed since this began', {
    fix: 'Ask again: you get what you may see now.',
  })
}

/** HEAD has no body, so nobody would ever read or cancel a stream. */
async function withoutStream(reply: Reply): Promise<Reply> {
  if (!(reply.body instanceof ReadableStream)) return reply
  await reply.body.cancel()
  return { ...reply, body: null }
}

/** Serves a route to callers with a key or a sign-in. */
export function serveRoute(gate: HttpGate, route: Route): HttpHandler {
  return async function serve(context) {
    const request = fromContext(context)
    const requestId = gate.toRequestId(request.header('x-request-id'))
    const reply = await answerRoute(gate, route, { request, requestId })
    const shared = gate.pages?.share(reply, request) ?? reply
    return sendReply(await compressReply(shared, request), requestId, context.env ?? {})
  }
}

/** Serves a route to everybody. */
export function servePublicRoute(gate: HttpGate, route: Pick<PublicRoute, 'visit'>): HttpHandler {
  return async function serve(context) {
    const request = fromContext(context)
    const requestId = gate.toRequestId(request.header('x-request-id'))
    let reply: Reply
    try {
      const identify = async () => gate.identify(request, 'read')
      reply = await route.visit({ door: gate.door, requestId, request, identify })
    } catch (error) {
      reply = toRefusal(gate, error, { request, requestId })
    }
    return sendReply(reply, requestId, context.env ?? {})
  }
}

function readQuery(route: Route, request: HttpRequest): unknown {
  if (route.query !== undefined) {
    if (route.parsesItself) return undefined
    return parseWith(route.query, toQueryObject(request.url), 'query')
  }
  // The effect of a change must not depend on a parameter that nobody reads.
  if (route.method !== 'get' && request.url.includes('?')) refuseQuery(request.url)
  return undefined
}

function isParsedHere(route: Route): route is Route & { body: RouteBody<unknown> } {
  return route.body !== undefined && route.parsesItself !== true
}

function refuseQuery(url: string): void {
  const [name] = Object.keys(toQueryObject(url))
  if (name === undefined) return
  throw new ToolError('invalid_request', `This request takes no query parameters: ${name}`, {
    fix: 'Leave it out, or put it into the body if the API describes it there.',
  })
}

async function readBody(
  body: RouteBody<unknown>,
  request: HttpRequest,
  door: Door,
): Promise<unknown> {
  const value = await readJsonBody(request, door.limits)
  const given = value === undefined && !body.isRequired ? {} : value
  return body.parse === undefined ? parseWith(body.schema, given, 'body') : body.parse(given)
}

/** The problem for a thrown value; a bug is logged as well. */
export function toRefusal(
  gate: HttpGate,
  error: unknown,
  { requestId, request }: NamedRequest,
): Reply {
  const { path, method } = request
  if (!isToolError(error)) gate.onFault({ error, requestId, method, path })
  return problemReply(toProblem(toProblemSource(error, requestId), { requestId, instance: path }))
}

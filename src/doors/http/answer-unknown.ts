import type { OpenAPIHono } from '@hono/zod-openapi'
import { ToolError } from '../../core/kernel/errors.ts'
import { notFoundReply } from './pages/site.ts'
import { sendReply } from './reply.ts'
import type { NodeBindings } from './reply.ts'
import { fromContext } from './request/http-request.ts'
import type { HttpContext } from './request/http-request.ts'
import { toRefusal } from './serve-route.ts'
import type { HttpGate } from './serve-route.ts'

/** Nothing is served here: another method is (405), a person sees a page, a program a problem. */
export function answerUnknown(
  hono: OpenAPIHono<{ Bindings: NodeBindings }>,
  gate: HttpGate,
  context: HttpContext,
): Response {
  const request = fromContext(context)
  const { path, method } = request
  const requestId = gate.toRequestId(request.header('x-request-id'))
  const allowed = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
    (candidate) => hono.router.match(candidate, path)[0].length > 0,
  )
  const wantsPage =
    !path.startsWith('/api') && (request.header('accept') ?? '').includes('text/html')
  const reply =
    allowed.length > 0
      ? toRefusal(gate, wrongMethod(method, allowed), { requestId, request })
      : wantsPage
        ? notFoundReply(path)
        : toRefusal(gate, nothingHere(path), { requestId, request })
  const headers = allowed.length > 0 ? ['allow', allowed.join(', ')] : []
  return sendReply(
    { ...reply, headers: [...(reply.headers ?? []), ...headers] },
    requestId,
    context.env ?? {},
  )
}

function wrongMethod(method: string, allowed: readonly string[]): ToolError {
  return new ToolError('method_not_allowed', `${method} is not offered here`, {
    fix: `Use ${allowed.join(' or ')}.`,
  })
}

function nothingHere(path: string): ToolError {
  return new ToolError('not_found', `Nothing is served at ${path.slice(0, 200)}`, {
    fix: 'The routes are listed in /openapi.json and readable at /docs.',
  })
}

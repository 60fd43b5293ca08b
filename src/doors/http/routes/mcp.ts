import type { Caller } from '../../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import type { LazyMcpDoor } from '../lazy-mcp-door.ts'
import type { McpScope } from '../../mcp/mcp-request-context.ts'
import { rpcError } from '../../mcp/rpc-error.ts'
import { type Reply, sendReply } from '../reply.ts'
import { fromContext } from '../request/http-request.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { readJsonBody } from '../request/request-body.ts'
import { assertHoldsStill, type HttpGate, type HttpHandler } from '../serve-route.ts'
import type { McpGate } from './mcp-gate.ts'

/** Where MCP clients come in. */
export const mcpPaths = ['/mcp', '/mcp/:agent', '/mcp/servers/:server'] as const

/** Serves MCP to admitted clients. */
export function serveMcp(gate: HttpGate, mcp: McpGate, door: LazyMcpDoor['door']): HttpHandler {
  return async function serve(context) {
    const request = fromContext(context)
    const requestId = gate.toRequestId(request.header('x-request-id'))
    const answer = async (): Promise<Reply> => {
      if (request.method === 'OPTIONS') return mcp.preflight(request)
      const caller = await mcp.admit(request)
      await assertSeen(request, caller, gate)
      const body = await readMessage(request, gate)
      if (body instanceof Response) return toReply(body)
      const recheck = async () => assertHoldsStill(caller, await mcp.admit(request, true))
      const requestContext = { caller, scope: faceOf(request), recheck }
      const incoming = { request: withPlainAccept(context.req.raw), body, requestContext }
      const ready = await door.findReady(incoming)
      return ready === undefined
        ? toReply(await door.handle(incoming))
        : { status: 200, type: 'application/json', body: ready }
    }
    const refuse = (error: unknown) => mcp.refuse(error, { request, requestId })
    const reply = await answer().catch(refuse)
    return sendReply(mcp.share(reply, request), requestId, context.env ?? {})
  }
}

/** A client that accepts anything accepts both kinds of answer, whose names the door looks for. */
function withPlainAccept(request: Request): Request {
  const ranges = request.headers.get('accept')?.split(',') ?? []
  if (!ranges.some((range) => range.split(';')[0]?.trim() === '*/*')) return request
  const headers = new Headers(request.headers)
  headers.set('accept', 'application/json, text/event-stream')
  return new Request(request.url, { method: request.method, headers, signal: request.signal })
}

function faceOf(request: HttpRequest): McpScope {
  const server = request.param('server')
  return server === undefined ? {} : { server }
}

/** A server that there is not, and one that the caller may use nothing of, are one answer. */
async function assertSeen(request: HttpRequest, caller: Caller, { door }: HttpGate): Promise<void> {
  const { server } = faceOf(request)
  if (server === undefined || (await door.api.seesMcpServer(caller, server))) return
  throw new ToolError('not_found', 'There is no MCP server of this name for you here', {
    fix: 'toolcrib mcp list shows them; toolcrib explain shows who may use their tools.',
  })
}

/** The message, or the refusal of an invalid one, in the form that MCP clients read. */
async function readMessage(request: HttpRequest, { door }: HttpGate): Promise<unknown> {
  if (request.method !== 'POST') return undefined
  try {
    const body = await readJsonBody(request, door.limits)
    return body ?? rpcError({ status: 400, code: -32700, message: 'The body is empty' })
  } catch (error) {
    if (!isToolError(error)) throw error
    if (error.code === 'body_too_large')
      return rpcError({ status: 413, code: -32000, message: error.message })
    if (error.code === 'unsupported_media_type')
      return rpcError({ status: 415, code: -32000, message: error.message })
    return rpcError({ status: 400, code: -32700, message: error.message })
  }
}

/** Headers that the door's own answers bring along. */
const passedOn = ['mcp-session-id', 'mcp-protocol-version', 'allow', 'www-authenticate']

/** JSON is written at once; only streams stay open. */
async function toReply(response: Response): Promise<Reply> {
  const type = response.headers.get('content-type') ?? ''
  const isStream = type.startsWith('text/event-stream')
  const headers = passedOn.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [name, value]
  })
  return {
    status: response.status,
    type,
    body: isStream ? response.body : response.body === null ? null : await response.text(),
    headers: isStream ? [...headers, 'x-accel-buffering', 'no'] : headers,
  }
}

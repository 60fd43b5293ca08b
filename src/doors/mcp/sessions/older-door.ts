import { isInitializeRequest } from '@modelcontextprotocol/server'
import { cancelledId } from '../calls/cancelled-id.ts'
import type { McpShared } from '../mcp-shared.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'
import { openStream } from '../watch/open-stream.ts'
import type { StreamList } from '../watch/stream-list.ts'
import { inLightSession, isLightId, newLightId } from './light-session.ts'
import { createSessionRegister, needsSession, type SessionRequest } from './session-register.ts'

interface McpRequest extends SessionRequest {
  requestContext: McpRequestContext
}

interface OlderOptions {
  shared: McpShared
  streams: StreamList
  /** Answers one request by itself. */
  serveOne(incoming: McpRequest): Promise<Response>
}

/** Clients of the older eras: in a session where they can be asked something, else with a name for one. */
export interface OlderDoor {
  handle(incoming: McpRequest): Promise<Response>
  /** The requestContext as one in this session; undefined where there is none such. */
  findVisit(
    sessionId: string | null,
    requestContext: McpRequestContext,
  ): McpRequestContext | undefined
  close(): void
}

/** Opens it. */
export function openOlderDoor({ shared, streams, serveOne }: OlderOptions): OlderDoor {
  const sessions = createSessionRegister(shared)
  function handleLight(
    { request, body, requestContext }: McpRequest,
    id: string,
  ): Promise<Response> {
    const here = inLightSession(requestContext, id)
    const cancelled = cancelledId(body)
    if (cancelled !== undefined) shared.openRequests.cancel(here.caller, cancelled)
    return serveOne({ request, body, requestContext: here })
  }
  return {
    async handle(incoming) {
      const { request, body, requestContext } = incoming
      const id = request.headers.get('mcp-session-id')
      if (id !== null && isLightId(id)) return handleLight(incoming, id)
      if (id !== null) {
        const serve = () => sessions.serve(id, requestContext, incoming)
        return request.method === 'GET'
          ? openStream({ shared, streams, requestContext, body }, serve)
          : serve()
      }
      if (needsSession(body)) return sessions.open(requestContext, incoming)
      const answer = await serveOne(incoming)
      return isInitializeRequest(body) && answer.ok ? withLightId(answer) : answer
    },
    findVisit(id, requestContext) {
      if (id === null) return requestContext
      return isLightId(id) ? inLightSession(requestContext, id) : sessions.find(id, requestContext)
    },
    close: () => sessions.close(),
  }
}

/** The session is named in the answer that begins it. */
function withLightId(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set('mcp-session-id', newLightId())
  return new Response(response.body, { status: response.status, headers })
}

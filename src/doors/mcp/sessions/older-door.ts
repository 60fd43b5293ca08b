import { isInitializeRequest } from '@modelcontextprotocol/server'
import { cancelledId } from '../calls/cancelled-id.ts'
import type { McpDesk } from '../mcp-desk.ts'
import type { McpVisit } from '../mcp-visit.ts'
import { openStream } from '../watch/open-stream.ts'
import type { StreamList } from '../watch/stream-list.ts'
import { inLightSession, isLightId, newLightId } from './light-session.ts'
import { createSessionRegister, needsSession, type SessionRequest } from './session-register.ts'

interface Arrival extends SessionRequest {
  visit: McpVisit
}

interface OlderOptions {
  desk: McpDesk
  streams: StreamList
  /** Answers one request by itself. */
  serveOne(arrival: Arrival): Promise<Response>
}

/** Clients of the older eras: in a session where they can be asked something, else with a name for one. */
export interface OlderDoor {
  handle(arrival: Arrival): Promise<Response>
  /** The visit as one in this session; undefined where there is none such. */
  findVisit(sessionId: string | null, visit: McpVisit): McpVisit | undefined
  close(): void
}

/** Opens it. */
export function openOlderDoor({ desk, streams, serveOne }: OlderOptions): OlderDoor {
  const sessions = createSessionRegister(desk)
  function handleLight({ request, body, visit }: Arrival, id: string): Promise<Response> {
    const here = inLightSession(visit, id)
    const cancelled = cancelledId(body)
    if (cancelled !== undefined) desk.openRequests.cancel(here.caller, cancelled)
    return serveOne({ request, body, visit: here })
  }
  return {
    async handle(arrival) {
      const { request, body, visit } = arrival
      const id = request.headers.get('mcp-session-id')
      if (id !== null && isLightId(id)) return handleLight(arrival, id)
      if (id !== null) {
        const serve = () => sessions.serve(id, visit, arrival)
        return request.method === 'GET'
          ? openStream({ desk, streams, visit, body }, serve)
          : serve()
      }
      if (needsSession(body)) return sessions.open(visit, arrival)
      const answer = await serveOne(arrival)
      return isInitializeRequest(body) && answer.ok ? withLightId(answer) : answer
    },
    findVisit(id, visit) {
      if (id === null) return visit
      return isLightId(id) ? inLightSession(visit, id) : sessions.find(id, visit)
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

import { type ClientCapabilities, isInitializeRequest } from '@modelcontextprotocol/server'
import type { McpDesk } from '../mcp-desk.ts'
import { holderOf, type McpVisit } from '../mcp-visit.ts'
import { rpcError } from '../rpc-error.ts'
import { openSession, type Session } from './open-session.ts'

/** Clients of the older eras that can be asked something: each has a line that stays. */
export interface SessionRegister {
  /** Opens one for an `initialize`, or refuses. */
  open(visit: McpVisit, from: SessionRequest): Promise<Response>
  /** A request in a session; 404 where it is gone, or another's. */
  serve(id: string, visit: McpVisit, from: SessionRequest): Promise<Response>
  has(id: string, visit: McpVisit): boolean
  /** Ends those that are idle now, and the others once they are. */
  close(): void
  readonly size: number
}

export interface SessionRequest {
  request: Request
  body: unknown
}

/** Does this client say that it can be asked? Others need no session. */
export function needsSession(body: unknown): boolean {
  if (!isInitializeRequest(body)) return false
  const { elicitation, sampling, roots }: ClientCapabilities = body.params.capabilities
  return elicitation !== undefined || sampling !== undefined || roots !== undefined
}

/** Opens the register. */
export function createSessionRegister(desk: McpDesk): SessionRegister {
  const { limits, onFault } = desk
  const sessions = new Map<string, Session>()
  let isClosing = false
  function end(session: Session): void {
    if (!sessions.delete(session.id)) return
    session.stopWatching()
    session.server.close().catch(onFault)
  }
  function endIdle(): void {
    const before = Date.now() - limits.sessionIdleMs
    for (const session of sessions.values()) {
      if (session.underWay === 0 && session.usedAt < before) end(session)
    }
  }
  const sweep = setInterval(endIdle, Math.min(60_000, limits.sessionIdleMs))
  sweep.unref()
  const onIdle = (session: Session) => void (isClosing && end(session))
  /** Who opens more than its share loses what it has not used for longest: clients forget to say goodbye. */
  function makeRoom(holder: string): boolean {
    const all = [...sessions.values()]
    const own = all.filter((session) => session.holder === holder)
    if (own.length < limits.maxSessionsPerCaller && all.length < limits.maxSessions) return true
    const idle = own.filter(({ underWay }) => underWay === 0)
    const [oldest] = idle.sort((left, right) => left.usedAt - right.usedAt)
    if (oldest !== undefined) end(oldest)
    return oldest !== undefined
  }
  return {
    async open(visit, from) {
      if (!makeRoom(holderOf(visit.caller))) return tooMany(from.body)
      const session = await openSession(desk, visit, (id) => {
        const gone = sessions.get(id)
        if (gone !== undefined) end(gone)
      })
      sessions.set(session.id, session)
      const response = await attend(session, from, onIdle)
      if (!response.ok) end(session)
      return response
    },
    async serve(id, visit, from) {
      const session = sessions.get(id)
      if (session === undefined || !isIts(session, visit)) return notFound(from.body)
      // What the key may do is looked up anew with every request.
      session.conversation.visit = visit
      return attend(session, from, onIdle)
    },
    has(id, visit) {
      const session = sessions.get(id)
      return session !== undefined && isIts(session, visit)
    },
    close() {
      clearInterval(sweep)
      isClosing = true
      for (const session of sessions.values()) if (session.underWay === 0) end(session)
    },
    get size() {
      return sessions.size
    },
  }
}

function isIts({ holder, conversation }: Session, { caller, face }: McpVisit): boolean {
  return holder === holderOf(caller) && conversation.visit.face.server === face.server
}

function tooMany(body: unknown): Response {
  const message = 'Too many of your sessions are at work; end some of them'
  return rpcError({ status: 429, code: -32000, message }, body)
}

function notFound(body: unknown): Response {
  return rpcError({ status: 404, code: -32001, message: 'Session not found' }, body)
}

/** A session counts as used until the answer has been read to its end. */
async function attend(
  session: Session,
  { request, body }: SessionRequest,
  onIdle: (session: Session) => void,
): Promise<Response> {
  session.underWay += 1
  let isLeft = false
  const leave = () => {
    if (isLeft) return
    isLeft = true
    session.underWay -= 1
    session.usedAt = Date.now()
    if (session.underWay === 0) onIdle(session)
  }
  try {
    const response = await session.transport.handleRequest(request, { parsedBody: body })
    return response.body === null ? leaving(response, leave) : withEnd(response, leave)
  } catch (error) {
    leave()
    throw error
  }
}

function leaving(response: Response, leave: () => void): Response {
  leave()
  return response
}

/** The same answer; `onEnd` is called when it was read, or nobody reads it any more. */
function withEnd(response: Response, onEnd: () => void): Response {
  const reader = response.body?.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await reader?.read()
        if (next?.done === false) return controller.enqueue(next.value)
        onEnd()
        controller.close()
      },
      async cancel(reason) {
        onEnd()
        await reader?.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const { status, headers } = response
  return new Response(body, { status, headers })
}

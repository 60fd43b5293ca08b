import { randomUUID } from 'node:crypto'
import {
  type ClientCapabilities,
  isInitializeRequest,
  type Server,
  type ServerEvent,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createServer } from '../create-server.ts'
import type { McpConversation, McpDesk } from '../mcp-desk.ts'
import { holderOf, type McpVisit } from '../mcp-visit.ts'
import { rpcError } from '../rpc-error.ts'
import { watchChanges } from '../watch/list-changes.ts'

/** Clients of the older eras that can be asked something: each has a line that stays. */
export interface SessionRegister {
  /** Opens one for an `initialize`, or refuses. */
  open(visit: McpVisit, request: Request, body: unknown): Promise<Response>
  /** A request in a session; 404 where it is gone, or another's. */
  serve(id: string, visit: McpVisit, from: { request: Request; body: unknown }): Promise<Response>
  close(): void
  readonly size: number
}

interface Session {
  id: string
  holder: string
  conversation: McpConversation
  server: Server
  transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
  /** Requests without an answer; a session at work is not idle. */
  underWay: number
  stopWatching(): void
}

/** Does this client say that it can be asked? Others need no session. */
export function needsSession(body: unknown): boolean {
  if (!isInitializeRequest(body)) return false
  const { elicitation, sampling, roots }: ClientCapabilities = body.params.capabilities
  return elicitation !== undefined || sampling !== undefined || roots !== undefined
}

/** Opens the register. */
export function createSessionRegister(desk: McpDesk): SessionRegister {
  const { limits } = desk
  const sessions = new Map<string, Session>()
  const sweep = setInterval(
    () => {
      const before = Date.now() - limits.sessionIdleMs
      for (const session of sessions.values()) {
        if (session.underWay === 0 && session.usedAt < before) end(session)
      }
    },
    Math.min(60_000, limits.sessionIdleMs),
  )
  sweep.unref()

  function end(session: Session): void {
    if (!sessions.delete(session.id)) return
    session.stopWatching()
    session.server.close().catch(desk.onFault)
  }
  /** Who opens more than its share loses what it has not used for longest: clients forget to say goodbye. */
  function makeRoom(holder: string): boolean {
    const all = [...sessions.values()]
    const own = all.filter((session) => session.holder === holder)
    if (own.length < limits.maxSessionsPerCaller && all.length < limits.maxSessions) return true
    const idle = own.filter(({ underWay }) => underWay === 0)
    const [oldest] = idle.sort((left, right) => left.usedAt - right.usedAt)
    if (oldest === undefined) return false
    end(oldest)
    return true
  }
  async function attend(session: Session, serve: () => Promise<Response>): Promise<Response> {
    session.underWay += 1
    try {
      return await serve()
    } finally {
      session.underWay -= 1
      session.usedAt = Date.now()
    }
  }
  return {
    async open(visit, request, body) {
      const holder = holderOf(visit.caller)
      if (!makeRoom(holder)) return rpcError(429, -32000, 'Too many sessions are at work', body)
      const session = await openSession(desk, visit, (id) => {
        const gone = sessions.get(id)
        if (gone !== undefined) end(gone)
      })
      sessions.set(session.id, session)
      const response = await attend(session, () =>
        session.transport.handleRequest(request, { parsedBody: body }),
      )
      if (!response.ok) end(session)
      return response
    },
    async serve(id, visit, { request, body }) {
      const session = sessions.get(id)
      const { caller, face } = visit
      const isIts =
        session?.holder === holderOf(caller) &&
        session.conversation.visit.face.server === face.server
      if (session === undefined || !isIts) {
        return rpcError(404, -32001, 'Session not found', body)
      }
      // What the key may do is looked up anew with every request.
      session.conversation.visit = visit
      return attend(session, () => session.transport.handleRequest(request, { parsedBody: body }))
    },
    close() {
      clearInterval(sweep)
      for (const session of sessions.values()) end(session)
    },
    get size() {
      return sessions.size
    },
  }
}

async function openSession(
  desk: McpDesk,
  visit: McpVisit,
  onClosed: (id: string) => void,
): Promise<Session> {
  const id = randomUUID()
  const conversation: McpConversation = { visit, era: 'legacy', isTwoWay: true }
  const server = createServer(desk, conversation)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessionclosed: onClosed,
    keepAliveMs: desk.limits.keepAliveMs,
  })
  await server.connect(transport)
  const subscribed = addSubscriptions(server)
  const stopWatching = watchChanges(
    desk,
    () => conversation.visit,
    (event) => {
      tell(server, event, subscribed).catch(() => undefined)
    },
  )
  const holder = holderOf(visit.caller)
  const state = { usedAt: Date.now(), underWay: 0 }
  return { id, holder, conversation, server, transport, stopWatching, ...state }
}

const maxSubscriptions = 1000

function addSubscriptions(server: Server): ReadonlySet<string> {
  const subscribed = new Set<string>()
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    if (subscribed.size < maxSubscriptions) subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
  return subscribed
}

async function tell(
  server: Server,
  event: ServerEvent,
  subscribed: ReadonlySet<string>,
): Promise<void> {
  switch (event.kind) {
    case 'tools_list_changed':
      return server.sendToolListChanged()
    case 'prompts_list_changed':
      return server.sendPromptListChanged()
    case 'resources_list_changed':
      return server.sendResourceListChanged()
    case 'resource_updated':
      if (subscribed.has(event.uri)) await server.sendResourceUpdated({ uri: event.uri })
  }
}

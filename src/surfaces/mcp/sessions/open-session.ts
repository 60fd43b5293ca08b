import { randomUUID } from 'node:crypto'
import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerEvent,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createServer } from '../create-server.ts'
import type { McpConversation, McpDesk } from '../mcp-desk.ts'
import { holderOf, inSession, type McpVisit } from '../mcp-visit.ts'
import { watchChanges } from '../watch/list-changes.ts'

/** One client of an older era with a line that stays. */
export interface Session {
  id: string
  holder: string
  conversation: McpConversation
  server: Server
  transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
  /** Requests without an answer; a session at work is not idle. */
  underWay: number
  /** Their ids. */
  readonly ids: Set<string | number>
  stopWatching(): void
}

/** Opens one, and begins to watch for it what changes. */
export async function openSession(
  desk: McpDesk,
  visit: McpVisit,
  onClosed: (id: string) => void,
): Promise<Session> {
  const id = randomUUID()
  const conversation: McpConversation = {
    visit: inSession(visit, id),
    era: 'legacy',
    isTwoWay: true,
  }
  const server = createServer(desk, conversation)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessionclosed: onClosed,
    keepAliveMs: desk.limits.keepAliveMs,
  })
  await server.connect(transport)
  const subscribed = addSubscriptions(server)
  const watch = watchChanges(
    desk,
    () => conversation.visit,
    (event) => {
      tellChange(server, event, subscribed).catch(() => undefined)
    },
  )
  conversation.onSearched = watch.look
  const holder = holderOf(visit.caller)
  const state = { usedAt: Date.now(), underWay: 0, ids: new Set<string | number>() }
  return { id, holder, conversation, server, transport, stopWatching: watch.stop, ...state }
}

const maxSubscriptions = 1000
/** Each stays for as long as its session. */
const maxUriChars = 2000

/** What a client of an older era wants to hear of, by address. */
export function addSubscriptions(server: Server): ReadonlySet<string> {
  const subscribed = new Set<string>()
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    if (params.uri.length > maxUriChars) {
      const message = `An address has at most ${maxUriChars} characters`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    }
    if (subscribed.size < maxSubscriptions) subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
  return subscribed
}

/** Passes one change on; without a list, clients sort out themselves what they subscribed to. */
export async function tellChange(
  server: Server,
  event: ServerEvent,
  subscribed?: ReadonlySet<string>,
): Promise<void> {
  switch (event.kind) {
    case 'tools_list_changed':
      return server.sendToolListChanged()
    case 'prompts_list_changed':
      return server.sendPromptListChanged()
    case 'resources_list_changed':
      return server.sendResourceListChanged()
    case 'resource_updated':
      if (subscribed?.has(event.uri) !== false) await server.sendResourceUpdated({ uri: event.uri })
  }
}

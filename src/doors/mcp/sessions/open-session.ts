import { randomUUID } from 'node:crypto'
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerEvent,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createServer } from '../create-server.ts'
import type { McpConversation, McpShared } from '../mcp-shared.ts'
import { holderOf, inSession, type McpRequestContext } from '../mcp-request-context.ts'
import { type ListWatch, watchChanges } from '../watch/list-changes.ts'
import { mayRead } from '../watch/may-read.ts'
import { maxAddresses } from '../watch/watched-addresses.ts'

/** One client of an older era with a line that stays. */
export interface McpSession {
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
  shared: McpShared,
  requestContext: McpRequestContext,
  onClosed: (id: string) => void,
): Promise<McpSession> {
  const id = randomUUID()
  const conversation: McpConversation = {
    requestContext: inSession(requestContext, id),
    era: 'legacy',
    isTwoWay: true,
  }
  const server = createServer(shared, conversation)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessionclosed: onClosed,
    keepAliveMs: shared.limits.keepAliveMs,
  })
  await server.connect(transport)
  const watch = watchChanges(shared, () => conversation.requestContext, {
    tell: (event) => void notifyOfChange(server, event).catch(() => undefined),
  })
  addSubscriptions(server, { shared, conversation, watch })
  conversation.onSearched = watch.look
  const holder = holderOf(requestContext.caller)
  const state = { usedAt: performance.now(), underWay: 0, ids: new Set<string | number>() }
  return { id, holder, conversation, server, transport, stopWatching: watch.stop, ...state }
}

/** Each stays for as long as its session. */
const maxUriChars = 2000

/** Resources that a client of an older era subscribes to, by address: only those it may read. */
export function addSubscriptions(
  server: Server,
  { shared, conversation, watch }: Subscribing,
): void {
  const subscribed = new Set<string>()
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (uri.length > maxUriChars) throw refuse(`An address has at most ${maxUriChars} characters`)
    if (subscribed.has(uri)) return {}
    if (!(await mayRead(shared, conversation.requestContext, uri)))
      throw new ResourceNotFoundError(uri)
    if (subscribed.size >= maxAddresses) {
      throw refuse(`One session follows at most ${maxAddresses} addresses; give some of them up`)
    }
    subscribed.add(uri)
    watch.follow(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri)
    watch.unfollow(uri)
    return {}
  })
}

interface Subscribing {
  shared: McpShared
  conversation: McpConversation
  watch: ListWatch
}

function refuse(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

/** Passes one change on. */
export async function notifyOfChange(server: Server, event: ServerEvent): Promise<void> {
  switch (event.kind) {
    case 'tools_list_changed':
      return server.sendToolListChanged()
    case 'prompts_list_changed':
      return server.sendPromptListChanged()
    case 'resources_list_changed':
      return server.sendResourceListChanged()
    case 'resource_updated':
      return server.sendResourceUpdated({ uri: event.uri })
  }
}

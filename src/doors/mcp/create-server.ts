import {
  type CallToolResult,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  type Server,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { CheckedServer } from './checked-server.ts'
import { tasksExtension, toAbilities } from './calls/client-abilities.ts'
import type { Attend, McpConversation, McpShared } from './mcp-shared.ts'
import { toProtocolError } from './protocol-error.ts'
import { serverInfo } from './server-info.ts'
import { addPromptHandlers } from './library/prompt-handlers.ts'
import { addResourceHandlers } from './library/resource-handlers.ts'
import { addTaskHandlers } from './task-handlers.ts'
import { callTool } from './tools/call-tool.ts'
import { serverIcons } from './tools/to-icons.ts'
import { toolPage } from './tools/tool-pages.ts'

/**
 * One MCP server for one conversation: a request of today's era, or a session or single request of
 * an older one. It holds no tools: each list is read from the crib when it is asked for.
 */
export function createServer(shared: McpShared, conversation: McpConversation): Server {
  const list = { ttlMs: shared.limits.listTtlMs, cacheScope: 'private' } as const
  const info = serverInfo(shared, conversation)
  const introduction = { ...info, icons: serverIcons }
  // Today every answer names its server; its picture goes only where a client makes its acquaintance.
  const server = new CheckedServer(conversation.era === 'legacy' ? introduction : info, {
    capabilities: capabilitiesOf(conversation),
    instructions,
    requestState: { verify: shared.parked.verify },
    cacheHints: {
      'tools/list': list,
      'prompts/list': list,
      'resources/list': list,
      'resources/templates/list': list,
      'resources/read': { ttlMs: 0, cacheScope: 'private' },
      'server/discover': list,
    },
  })
  server.introduction = introduction
  const attend: Attend = async (context, handle) => {
    const abilities = toAbilities(declaredBy(server, context))
    try {
      return await handle({ ...conversation, shared, abilities })
    } catch (error) {
      throw toProtocolError(error, shared.onFault)
    }
  }
  server.setRequestHandler('tools/list', (request, context) =>
    attend(context, async ({ requestContext, era }) => {
      const offer = await shared.api.offer(requestContext.caller)
      const { pageSize } = shared.limits
      const cursor = request.params?.cursor
      const { tools, nextCursor } = toolPage(offer, {
        scope: requestContext.scope,
        era,
        cursor,
        pageSize,
      })
      return { tools: [...tools], ...(nextCursor !== undefined && { nextCursor }) }
    }),
  )
  server.setRequestHandler('tools/call', (request, context) =>
    attend(
      context,
      // The type of the SDK knows of no tasks; its wire does.
      async (asked) => (await callTool(request.params, asked, context)) as CallToolResult,
    ),
  )
  addPromptHandlers(server, attend)
  addResourceHandlers(server, attend)
  if (conversation.era === 'modern') addTaskHandlers(server, attend)
  return server
}

const instructions =
  'Tools of a Toolcrib: each call is checked by policy and recorded. A call may wait for a person; its answer then names the place of the result.'

/** Capabilities of a conversation; only clients with a stream are notified of changes. */
export function capabilitiesOf({ era, isTwoWay }: McpConversation): ServerCapabilities {
  const isTold = era === 'modern' || isTwoWay
  return {
    tools: { listChanged: isTold },
    prompts: { listChanged: isTold },
    resources: { listChanged: isTold, subscribe: isTold },
    completions: {},
    logging: {},
    ...(era === 'modern' && { extensions: { [tasksExtension]: {} } }),
  }
}

/** Today's clients declare with every request, those of older eras once. */
function declaredBy(server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope: Record<string, unknown> | undefined = mcpReq.envelope
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined
  return declared ?? server.getClientCapabilities()
}

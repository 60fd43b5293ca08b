import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { McpServersApi } from '../../core/gateway/mcp-servers-api.ts'
import {
  pinName,
  type ServerTool,
  type ToolPin,
  toolPinSchema,
} from '../../core/gateway/tool-pin.ts'
import type { JsonValue } from '../../core/json.ts'
import { isRecord } from '../../core/schema/json/json-type.ts'
import { hashDefinition, toDefinition } from '../../gateway/tools/tool-definition.ts'
import { requireManager } from '../api/permissions.ts'
import type { KnownMcpServer } from './find-server.ts'
import { assertOwner, changeRules, type McpAccessParts, requireReader } from './mcp-access-parts.ts'

type ToolAccess = Pick<McpServersApi, 'listMcpTools' | 'acceptMcpTool' | 'rejectMcpTool'>

/** A hash that no definition has: nothing of the tool is accepted. */
const nothing = '0'.repeat(64)

/** Tools of servers and what was accepted of them. Deciding needs `tools.approve`. */
export function createMcpToolAccess(parts: McpAccessParts): ToolAccess {
  const { servers, gateway } = parts
  const toolsOf = (caller: Caller, name: string) =>
    gateway.findStatus({ tenant: caller.tenant, server: name })?.tools ?? []
  const showTool = (caller: Caller, server: string, tool: string) => {
    const found = toolsOf(caller, server).find((one) => one.name === tool)
    if (found !== undefined) return found
    throw toolNotFound(server, tool)
  }
  async function decide(
    caller: Caller,
    { server, tool, seen }: { server: string; tool: string; seen: string },
    { toPin, event }: Decided,
  ): Promise<ServerTool> {
    requireManager(caller, ['tools.approve'])
    const known = await servers.findUsable(caller, server)
    assertOwner(caller, known)
    const { principal } = caller
    const definition = await findDefinition(parts, { known, tool })
    const hash = hashDefinition(definition)
    if (hash !== seen) throw changedAgain(server, tool)
    const owner = { tenant: known.owner, principal }
    await changeRules(parts, owner, async (draft) => {
      const name = pinName(server, tool)
      const before = toolPinSchema.safeParse((await draft.find('mcp-pin', name))?.body).data
      const body = toPin({ hash, definition, before }) as unknown as JsonValue
      await draft.put('mcp-pin', name, { body })
      draft.tell(event, { server, tool, hash })
    })
    return showTool(caller, server, tool)
  }
  return {
    async listMcpTools(caller, name) {
      requireReader(caller)
      await Promise.all([servers.find(caller, name), parts.wake(caller.tenant)])
      return [...toolsOf(caller, name)]
    },
    acceptMcpTool: (caller, server, { tool, hash: seen }) =>
      decide(caller, { server, tool, seen }, accepted),
    rejectMcpTool: (caller, server, { tool, hash: seen }) =>
      decide(caller, { server, tool, seen }, rejected),
  }
}

interface Decided {
  event: 'mcp.server.tool_accepted' | 'mcp.server.tool_rejected'
  toPin(now: {
    hash: string
    definition: ToolPin['definition']
    before: ToolPin | undefined
  }): ToolPin
}

const accepted: Decided = {
  event: 'mcp.server.tool_accepted',
  toPin: ({ hash, definition }) => ({ hash, definition, by: 'accepted' }),
}

const rejected: Decided = {
  event: 'mcp.server.tool_rejected',
  // What was accepted last stays: the next version is shown against it.
  toPin: ({ hash, before }) => ({
    hash: nothing,
    definition: before?.definition ?? {},
    by: 'accepted',
    rejected: hash,
  }),
}

/** As the server listed it last. */
async function findDefinition(
  { store }: McpAccessParts,
  { known, tool }: { known: KnownMcpServer; tool: string },
): Promise<ToolPin['definition']> {
  const stored = await store.gateway.find({ tenant: known.owner, server: known.name })
  const listed = stored?.tools?.find((one) => isRecord(one) && one['name'] === tool)
  if (!isRecord(listed)) throw toolNotFound(known.name, tool)
  return toDefinition(listed)
}

function toolNotFound(server: string, tool: string): ToolError {
  return new ToolError(
    'not_found',
    `The MCP server ${server} has no tool ${JSON.stringify(tool.slice(0, 100))}`,
    { fix: `toolcrib mcp tools ${server} lists them.` },
  )
}

function changedAgain(server: string, tool: string): ToolError {
  return new ToolError('conflict', `${tool} is another one by now`, {
    fix: `Look at it again: toolcrib mcp tools ${server}`,
  })
}

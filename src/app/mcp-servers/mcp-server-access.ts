import type { Caller } from '../../core/call.ts'
import type { McpServersApi } from '../../core/gateway/mcp-servers-api.ts'
import { requireManager } from '../api/permissions.ts'
import { type McpAccessParts, requireReader } from './mcp-access-parts.ts'
import { checkServer } from './server-rules.ts'
import { toMcpServer } from './to-mcp-server.ts'
import { tryServer } from './try-server.ts'

type ServerAccess = Pick<
  McpServersApi,
  'listMcpServers' | 'findMcpServer' | 'testMcpServer' | 'refreshMcpServer'
>

const largestPage = 200

/** MCP servers of tenants: how they stand. Reading needs `mcp.manage`, `tools.approve` or `policy.read`. */
export function createMcpServerAccess(parts: McpAccessParts): ServerAccess {
  const { servers, gateway, reload } = parts
  return {
    async listMcpServers(caller, { after = '', limit }) {
      requireReader(caller)
      const rest = (await servers.list(caller.tenant)).filter(({ name }) => name > after)
      const page = rest.slice(0, Math.min(limit, largestPage))
      const status = new Map(gateway.statusOf(caller.tenant).map((one) => [one.server, one]))
      const items = page.map((known) => toMcpServer(known, status.get(known.name)))
      const next = page.at(-1)?.name
      return rest.length > page.length && next !== undefined ? { items, next } : { items }
    },
    async findMcpServer(caller, name) {
      requireReader(caller)
      return showServer(parts, caller, name)
    },
    async testMcpServer(caller, name, given) {
      requireManager(caller, ['mcp.manage'])
      const spec =
        given === undefined
          ? (await servers.findUsable(caller, name)).spec
          : checkServer(given, caller, parts.terms)
      return tryServer(gateway, { caller, name, spec })
    },
    async refreshMcpServer(caller, name) {
      requireManager(caller, ['mcp.manage'])
      await servers.findUsable(caller, name)
      await gateway.refresh({ tenant: caller.tenant, server: name }, caller.principal)
      await reload(caller.tenant)
      return showServer(parts, caller, name)
    },
  }
}

/** One server with how it stands now. */
export async function showServer(
  { servers, gateway }: McpAccessParts,
  caller: Caller,
  name: string,
) {
  const status = gateway.findStatus({ tenant: caller.tenant, server: name })
  return toMcpServer(await servers.find(caller, name), status)
}

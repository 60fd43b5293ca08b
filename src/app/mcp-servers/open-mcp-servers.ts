import type { McpServersApi } from '../../core/gateway/mcp-servers-api.ts'
import type { Gateway } from '../../core/gateway/gateway.ts'
import type { McpPort } from '../../features/mcp-servers/parts.ts'
import type { Parts } from '../parts.ts'
import { openGateway } from '../gateway/open-gateway.ts'
import { createToolSight } from '../gateway/tool-sight.ts'
import { createMcpSupport } from './create-mcp-support.ts'
import { createUnlistedTools } from './unlisted-tools.ts'

/** The gateway with what manages it. */
export interface McpServers {
  api: McpServersApi
  port: McpPort
  gateway: Gateway
  /** Servers are connected to from here on. */
  begin(): void
  stop(): Promise<void>
}

/** Opens the gateway: what is known of MCP servers is in the registry when this resolves. */
export async function openMcpServers(parts: Parts): Promise<McpServers> {
  const support = createMcpSupport(parts)
  const opened = await openGateway(parts, support.ports)
  const { gateway, close } = opened
  const { servers } = support
  parts.ports.refusals.add(createUnlistedTools({ servers, gateway, sees: createToolSight(parts) }))
  async function stop(): Promise<void> {
    await close()
    await support.close()
  }
  const port = support.createPort(opened)
  return { api: support.createApi(port), port, gateway, begin: () => gateway.begin(), stop }
}

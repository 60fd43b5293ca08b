import type { Caller } from '../../core/kernel/call.ts'
import type { McpServerParts } from './parts.ts'
import type { McpServer } from './schemas.ts'
import { toMcpServer } from './to-mcp-server.ts'

/** One server with its current status. */
export async function showServer(
  { servers, gateway, wake }: McpServerParts,
  caller: Caller,
  name: string,
): Promise<McpServer> {
  await wake(caller.tenant)
  const status = gateway.findStatus({ tenant: caller.tenant, server: name })
  return toMcpServer(await servers.find(caller, name), status, caller)
}

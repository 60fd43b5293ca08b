import { ToolError } from '../../../core/kernel/errors.ts'
import type { McpServersApi } from '../../../core/gateway/mcp-servers-api.ts'

/** A crib without MCP servers. */
export function memoryMcpServers(): McpServersApi {
  const nothing = () => Promise.reject(new ToolError('not_found', 'There is no MCP server here'))
  return {
    seesMcpServer: async () => false,
    findMcpSignIn: nothing,
    finishMcpSignIn: nothing,
    mcpClientMetadata: () => undefined,
  }
}

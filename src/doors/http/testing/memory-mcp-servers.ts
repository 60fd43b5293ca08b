import { ToolError } from '../../../core/kernel/errors.ts'
import type { McpServersApi } from '../../../core/gateway/mcp-servers-api.ts'

/** A crib without MCP servers. */
export function memoryMcpServers(): McpServersApi {
  const nothing = () => Promise.reject(new ToolError('not_found', 'There is no MCP server here'))
  return {
    listMcpServers: async () => ({ items: [] }),
    findMcpServer: nothing,
    seesMcpServer: async () => false,
    addMcpServer: nothing,
    changeMcpServer: nothing,
    removeMcpServer: nothing,
    testMcpServer: nothing,
    refreshMcpServer: nothing,
    listMcpTools: nothing,
    decideMcpTool: nothing,
    decideMcpTools: nothing,
    authorizeMcpServer: nothing,
    listMcpConnections: nothing,
    disconnectMcpServer: nothing,
    findMcpSignIn: nothing,
    finishMcpSignIn: nothing,
    mcpClientMetadata: () => undefined,
  }
}

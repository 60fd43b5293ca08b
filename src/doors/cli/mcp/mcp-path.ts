/** The path of the MCP endpoint, of one agent or of all. */
export function mcpPath(agent: string | undefined): string {
  return agent === undefined ? '/mcp' : `/mcp/${encodeURIComponent(agent)}`
}

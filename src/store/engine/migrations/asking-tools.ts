/** Which tools of an MCP server ask their callers, as far as it was seen. */
export const askingTools: Readonly<Record<string, readonly string[]>> = {
  '0031_asking_tools': ['alter table mcp_known_servers add column asking text'],
}

/** JSON is kept as text: it is only ever read whole. */
export interface KnownServersTable {
  tenant: string
  server: string
  fingerprint: string
  verdict: string | null
  tools: string | null
  about: string | null
  listed_ms: number | null
  asking: string | null
}

/** Known facts about MCP servers. */
export interface GatewayTables {
  mcp_known_servers: KnownServersTable
}

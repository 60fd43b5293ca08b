import type { Generated } from 'kysely'

export interface McpConnectionsTable {
  id: string
  tenant: string
  server: string
  /** Empty for the tenant as a whole. */
  subject: string
  /** `client`, `tokens` or `pending`. */
  kind: string
  /** The issuer; of a sign-in that has not come back, the digest of its state. */
  name: string
  version: number
  key_id: string
  wrapped_key: Uint8Array
  sealed: Uint8Array
  created_ms: number
  updated_ms: number
  expires_ms: Generated<number | null>
  /** Somebody is about to replace it, until then. */
  lease_ms: Generated<number | null>
}

/** Credentials for MCP servers. */
export interface ConnectionTables {
  mcp_connections: McpConnectionsTable
}

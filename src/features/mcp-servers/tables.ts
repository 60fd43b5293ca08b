import type { TableSpec } from '../../core/kernel/views/table-spec.ts'
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

/** Credentials for MCP servers, and the known facts about them. */
export interface McpServerTables {
  mcp_connections: McpConnectionsTable
  mcp_known_servers: KnownServersTable
}

export const mcpServerTables: readonly TableSpec<keyof McpServerTables>[] = [
  { name: 'mcp_connections', key: ['id'], page: 1_000 },
  { name: 'mcp_known_servers', key: ['tenant', 'server'], page: 10 },
]

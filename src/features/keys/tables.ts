import type { TableSpec } from '../../core/kernel/views/table-spec.ts'
import type { Generated } from 'kysely'

export interface ApiKeysTable {
  id: string
  tenant: string
  name: string
  /** JSON as text, as everywhere. */
  scopes: string
  agent: string | null
  hash: Uint8Array
  created_ms: number
  expires_ms: number | null
  last_used_ms: number | null
  revoked_ms: number | null
  /** The digest of the secret before the last rotation, and how long it still works. */
  previous_hash: Generated<Uint8Array | null>
  previous_until_ms: Generated<number | null>
  rotated_ms: Generated<number | null>
  tool_mode: Generated<string | null>
  /** `<tenant>/<member>` who made or last rotated it, or made the key that did. */
  maker: Generated<string | null>
  /** Of a visitor's key: the key that let them in, and the name that it knows them by. */
  parent: Generated<string | null>
  visitor: Generated<string | null>
}

export interface KeyTables {
  api_keys: ApiKeysTable
}

export const keyTables: readonly TableSpec<keyof KeyTables>[] = [
  { name: 'api_keys', key: ['id'], page: 1_000 },
]

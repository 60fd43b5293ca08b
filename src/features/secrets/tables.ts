import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface SecretsTable {
  id: string
  tenant: string
  /** Empty for the tenant's own. */
  agent: string
  name: string
  version: number
  key_id: string
  wrapped_key: Uint8Array
  sealed: Uint8Array
  updated_ms: number
  description: string | null
  expires_ms: number | null
}

export interface SecretTables {
  secrets: SecretsTable
}

export const secretTables: readonly TableSpec<keyof SecretTables>[] = [
  { name: 'secrets', key: ['id'], page: 1_000 },
]

import type { TableSpec } from '../../core/kernel/views/table-spec.ts'
import type { Generated } from 'kysely'

export interface MembersTable {
  tenant: string
  id: string
  /** In small letters; the owner of an embedded crib has none. */
  email: string | null
  name: string
  role: string
  /** Permissions beside those of the role. */
  permissions: Generated<string>
  status: string
  password_hash: string | null
  created_ms: number
  updated_ms: number
}

export interface MemberTables {
  members: MembersTable
}

export const memberTables: readonly TableSpec<keyof MemberTables>[] = [
  { name: 'members', key: ['tenant', 'id'], page: 1_000 },
]

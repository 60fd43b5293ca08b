import type { TableSpec } from '../../core/kernel/views/table-spec.ts'
import type { Generated } from 'kysely'

export interface TenantsTable {
  slug: string
  name: string
  status: Generated<string>
  /** Why it is suspended. */
  reason: Generated<string | null>
  is_declared: Generated<boolean>
  created_ms: Generated<number>
  suspended_ms: Generated<number | null>
  /** Set while it is being deleted; nobody can find it any more. */
  deleted_ms: Generated<number | null>
}

export interface TenantsTables {
  tenants: TenantsTable
}

export const tenantsTables: readonly TableSpec<keyof TenantsTables>[] = [
  { name: 'tenants', key: ['slug'], page: 1_000, isShared: true },
]

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

export interface RulesTable {
  tenant: string
  kind: string
  name: string
  body: string
  is_declared: boolean
  version: number
  updated_ms: number
  /** `kind:id` */
  updated_by: string
}

export interface TenantChangesTable {
  tenant: string
  xid: Generated<string>
}

export interface CatalogueTable {
  name: string
  title: string
  first_seen_ms: number
  gone_ms: number | null
}

/** Decisions of operators. */
export interface GovernanceTables {
  tenants: TenantsTable
  rules: RulesTable
  tenant_changes: TenantChangesTable
  catalogue: CatalogueTable
}

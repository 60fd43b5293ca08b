import type { Generated } from 'kysely'

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

/** Decisions of operators, and which tenants they changed. */
export interface RuleTables {
  rules: RulesTable
  tenant_changes: TenantChangesTable
}

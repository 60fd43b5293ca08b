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

export interface SessionsTable {
  /** SHA-256 of the cookie's value. */
  hash: Uint8Array
  id: string
  tenant: string
  member: string
  /** `link`, `password`, `oidc`. */
  method: string
  user_agent: string | null
  address: string | null
  created_ms: number
  last_seen_ms: number
  expires_ms: number
}

export interface OneTimeTokensTable {
  /** SHA-256 of the token. */
  hash: Uint8Array
  id: string
  kind: string
  tenant: string
  facts: string
  created_ms: number
  expires_ms: number
  used_ms: number | null
}

export interface CatalogueTable {
  name: string
  title: string
  first_seen_ms: number
  gone_ms: number | null
}

/** Decisions of operators, and the members. */
export interface GovernanceTables {
  tenants: TenantsTable
  rules: RulesTable
  tenant_changes: TenantChangesTable
  members: MembersTable
  sessions: SessionsTable
  one_time_tokens: OneTimeTokensTable
  catalogue: CatalogueTable
}

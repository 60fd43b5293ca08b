import type { Selectable } from 'kysely'
import type { Tenant } from '../../core/rules/tenant.ts'
import type { TenantsTable } from './rules-tables.ts'

/** A tenant as it is stored. */
export function toTenant(row: Selectable<TenantsTable>): Tenant {
  return {
    slug: row.slug,
    name: row.name,
    status: row.status as Tenant['status'],
    ...(row.reason !== null && { reason: row.reason }),
    isDeclared: row.is_declared,
    createdAt: new Date(row.created_ms).toISOString(),
  }
}

/** Why a tenant is suspended that configuration has stopped to declare; declaring it again takes it up. */
export const undeclared = 'it is declared no more'

/** For a statement on a table with a tenant: nothing is done for tenants that are suspended or being deleted. */
export const isOfActive = `tenant <> all (array(select slug from tenants where status <> 'active'))`

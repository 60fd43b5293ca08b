import type { Selectable } from 'kysely'
import type { Tenant } from '../../../core/rules/tenant.ts'
import type { TenantsTable } from '../tables.ts'

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

/** The reason for suspending a tenant that the configuration no longer declares; declaring it again resumes it. */
export const undeclared = 'it is declared no more'

import { openOperations } from '../../core/operations/run-operation.ts'
import type { TenantStore } from '../../core/rules/tenant.ts'
import type { Sweep } from '../../core/work-ports.ts'
import type { Feature } from '../feature.ts'
import { tenantOperations } from './operations.ts'

/** Organisations on this server. Their rows are the store's: every call reads them. */
export const tenantsFeature: Feature = {
  name: 'tenants',
  open: ({ store, rules, rouse }) => ({
    operations: openOperations(tenantOperations, {
      tenants: store.tenants,
      refresh: rules.refresh,
      rouse,
    }),
    sweeps: [deletedTenants(store.tenants)],
  }),
}

const removalStep = { limit: 500, quietMs: 5000 }

/** Data of deleted tenants is removed little by little, so that it never delays other work. */
function deletedTenants(tenants: TenantStore): Sweep {
  const run = () => tenants.removeDeleted(removalStep)
  return { name: 'deleted tenants', everyMs: 1000, isWoken: false, run }
}

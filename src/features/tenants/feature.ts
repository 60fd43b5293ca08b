import { openOperations } from '../../core/operations/run-operation.ts'
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
  }),
}

import { openOperations } from '../../core/operations/run-operation.ts'
import type { Registry } from '../../core/registry.ts'
import type { Feature } from '../feature.ts'
import { keyOperations } from './operations.ts'

/** API keys, and the short-lived tokens they issue. The store authenticates with them. */
export const keysFeature: Feature = {
  name: 'keys',
  open: ({ store: { keys, now }, ports: { registry }, rules }) => ({
    operations: openOperations(keyOperations, {
      keys,
      now,
      rules,
      permissionsOfTools: (tenant) => permissionsOfTools(registry, tenant),
    }),
  }),
}

function permissionsOfTools(registry: Registry, tenant: string): string[] {
  return registry.list().flatMap(({ contract: { permission, tenants } }) => {
    const isTheirs = tenants.length === 0 || tenants.includes(tenant)
    return permission !== undefined && isTheirs ? [permission] : []
  })
}

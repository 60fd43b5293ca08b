import type { Registry } from '../registry.ts'

/** The tools that there are for one tenant. */
export type TenantTools = Pick<Registry, 'find' | 'list'>

/** Tools that are kept for other tenants are none of this one's business, not even by name. */
export function toolsOf(registry: TenantTools, tenant: string): TenantTools {
  const isTheirs = ({ contract }: ReturnType<Registry['list']>[number]) =>
    contract.tenants.length === 0 || contract.tenants.includes(tenant)
  return {
    find(name) {
      const entry = registry.find(name, tenant)
      return entry !== undefined && isTheirs(entry) ? entry : undefined
    },
    list: () => registry.list(tenant).filter(isTheirs),
  }
}

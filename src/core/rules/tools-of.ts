import type { Registry } from '../registry.ts'

/** The tools that exist for one tenant. */
export type TenantTools = Pick<Registry, 'find' | 'list'>

/** Hides tools that are reserved for other tenants, including their names. */
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

import type { PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/**
 * The tool's own list of tenants; an unknown tenant sees nothing. The reason names no other tenant.
 */
export function tenantLayer({ contract }: PolicyTool, scope: Scope) {
  if (!scope.isKnownTenant) {
    return hide('tenant', `tenant ${scope.tenant} is unknown`, {
      fix: `create tenant ${scope.tenant}`,
    })
  }
  if (contract.tenants.length === 0) return pass('tenant', 'the tool is for every tenant')
  if (contract.tenants.includes(scope.tenant)) {
    return pass('tenant', `the tool names tenant ${scope.tenant}`)
  }
  return hide('tenant', `the tool is reserved for tenants other than ${scope.tenant}`, {
    setBy: `the definition of ${contract.name}`,
    fix: `add ${scope.tenant} to the tenants of ${contract.name}`,
  })
}

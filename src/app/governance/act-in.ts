import type { Caller } from '../../core/call.ts'
import { holds } from '../../core/operations/require-permission.ts'
import { defaultTenant, tenantNotFound } from '../../core/rules/tenant.ts'
import { isOpen } from './tenant-gate.ts'
import type { TenantViews } from './tenant-views.ts'

/** The caller as it acts in a tenant: its own, or any for those who manage tenants. */
export async function actIn(
  caller: Caller,
  tenant: string,
  views: Pick<TenantViews, 'find'>,
): Promise<Caller> {
  if (tenant === caller.tenant) return caller
  const home = caller.home ?? caller.tenant
  // Permissions of another tenant were given by that tenant, and count there alone.
  const isOperator = home === defaultTenant && holds(caller, 'tenants.manage')
  const mayEnter = isOperator && caller.agent === undefined
  if (!mayEnter || !(await isOpen(views, tenant))) throw tenantNotFound(tenant)
  return { ...caller, tenant, home }
}

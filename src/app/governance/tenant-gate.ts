import type { Caller } from '../../core/kernel/call.ts'
import { holds } from '../../core/operations/require-permission.ts'
import { defaultTenant, tenantNotFound, tenantSuspended } from '../../core/rules/tenant.ts'
import type { TenantViews } from './tenant-views.ts'

/**
 * Whether anybody may come in for this tenant: false when it is not there, or is being deleted.
 * Throws tenant_suspended. Keys, sign-ins and operators of other tenants are all checked here.
 */
export async function isOpen(views: Pick<TenantViews, 'find'>, slug: string): Promise<boolean> {
  const view = await views.find(slug)
  if (view?.tenant.status === 'suspended') throw tenantSuspended(view.tenant)
  return view !== undefined
}

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

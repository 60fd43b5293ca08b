import { tenantSuspended } from '../../core/rules/tenant.ts'
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

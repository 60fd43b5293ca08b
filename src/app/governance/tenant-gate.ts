import { tenantSuspended } from '../../core/rules/tenant.ts'
import type { TenantViews } from './tenant-views.ts'

/**
 * Whether anybody may come in for this tenant: false when it is not there, or is being deleted.
 * Throws tenant_suspended. Every way in asks here, with a key, a session or another tenant's operator.
 */
export async function isOpen(views: Pick<TenantViews, 'find'>, slug: string): Promise<boolean> {
  const view = await views.find(slug)
  if (view?.tenant.status === 'suspended') throw tenantSuspended(view.tenant)
  return view !== undefined
}

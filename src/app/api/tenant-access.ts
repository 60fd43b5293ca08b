import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { Store } from '../../core/ports.ts'
import type { TenantApi } from '../../core/rules/tenant-api.ts'
import { defaultTenant, parseTenantSlug, tenantNotFound } from '../../core/rules/tenant.ts'
import type { Work } from '../../engine/open-work.ts'
import { isOpen } from '../governance/tenant-gate.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import {
  holds,
  requirePermission,
  requireUnbound,
} from '../../core/operations/require-permission.ts'

interface TenantAccessOptions {
  store: Pick<Store, 'tenants'>
  views: TenantViews
  work: Pick<Work, 'rouse'>
}

/** Managing tenants, and acting in them. */
export function createTenantAccess({ store, views, work }: TenantAccessOptions): TenantApi {
  const { tenants } = store
  return {
    async actIn(caller, tenant) {
      if (tenant === caller.tenant) return caller
      const mayEnter = isOperator(caller) && caller.agent === undefined
      if (!mayEnter || !(await isOpen(views, tenant))) throw tenantNotFound(tenant)
      return { ...caller, tenant, home: homeOf(caller) }
    },
    async listTenants(caller, query) {
      requireOperator(caller)
      return tenants.list(query)
    },
    async findTenant(caller, slug) {
      requireOperator(caller)
      const tenant = await tenants.find(slug)
      if (tenant === undefined) throw tenantNotFound(slug)
      return tenant
    },
    async createTenant(caller, { slug, name = slug }) {
      requireOperator(caller)
      const tenant = await tenants.create({ slug: parseTenantSlug(slug), name }, caller.principal)
      await views.refresh()
      return tenant
    },
    async changeTenant(caller, slug, change) {
      requireOperator(caller)
      assertReasonFits(change)
      const tenant = await tenants.change(slug, change, caller.principal)
      if (tenant === undefined) throw tenantNotFound(slug)
      await views.refresh()
      if (change.status === 'active') await work.rouse(slug)
      return tenant
    },
    async deleteTenant(caller, slug, confirm) {
      requireOperator(caller)
      if (confirm !== slug) throw unconfirmed(slug)
      if (!(await tenants.delete(slug, caller.principal))) throw tenantNotFound(slug)
      await views.refresh()
    },
  }
}

function homeOf({ home, tenant }: Caller): string {
  return home ?? tenant
}

/** One who manages tenants. What is held in another tenant was given by that tenant, and counts there alone. */
export function isOperator(caller: Caller): boolean {
  return homeOf(caller) === defaultTenant && holds(caller, 'tenants.manage')
}

function requireOperator(caller: Caller): void {
  if (homeOf(caller) !== defaultTenant) {
    throw new ToolError(
      'forbidden',
      `Tenants are managed from the tenant ${defaultTenant}; permissions of another tenant do not count`,
      { fix: `Use a key of the tenant ${defaultTenant} with the scope tenants.manage.` },
    )
  }
  requirePermission(caller, 'tenants.manage')
  requireUnbound(caller)
}

function assertReasonFits({ reason, status }: { reason?: string; status?: string }): void {
  if (reason === undefined || status === 'suspended') return
  throw new ToolError('invalid_request', 'A reason is given when a tenant is suspended', {
    fix: 'Send it together with "status": "suspended".',
  })
}

function unconfirmed(slug: string): ToolError {
  return new ToolError(
    'invalid_request',
    `Deleting ${JSON.stringify(slug.slice(0, 100))} removes everything of its, for ever`,
    { fix: 'Say its slug once more to confirm: ?confirm=<slug>, or --confirm <slug>.' },
  )
}

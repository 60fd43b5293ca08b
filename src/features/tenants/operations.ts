import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { pageOf, pageQuery, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { defaultTenant, parseTenantSlug, tenantNotFound } from '../../core/rules/tenant.ts'
import type { TenantStore } from '../../core/rules/tenant.ts'
import { tenant, tenantChange, tenantRequest } from './schemas.ts'

/** The dependencies of the operations on tenants. */
export interface TenantParts {
  tenants: Pick<TenantStore, 'list' | 'find' | 'create' | 'change' | 'delete'>
  /** Loads changes that were just stored. */
  refresh(): Promise<void>
  /** Runs the queued work of a tenant that was suspended. */
  rouse(tenant: string): Promise<void>
}

const define = operationsOf<TenantParts>('Tenants')
const params = { slug: 'The slug of the tenant' }
const scope = 'Only for callers of the tenant `default`.'
const access = { needs: 'tenants.manage', agents: 'none' } as const

const listTenants = define({
  http: 'GET /api/v1/tenants',
  summary: 'List tenants',
  description: `Sorted by slug. ${scope}`,
  ...access,
  query: pageQuery(50, 500),
  answer: { description: 'A page of tenants', schema: pageOf(tenant) },
  async run(query, { caller, parts }) {
    requireHome(caller)
    return parts.tenants.list(query)
  },
})

const createTenant = define({
  http: 'POST /api/v1/tenants',
  summary: 'Create a tenant',
  description: `It has no members yet: send \`Toolcrib-Tenant\` to act in it and add the first. ${scope}`,
  ...access,
  body: tenantRequest,
  answer: { status: 201, description: 'The tenant', schema: tenant },
  refusals: { 409: 'The slug is taken, or its last tenant is still being deleted' },
  async run({ slug, name = slug }, { caller, parts }) {
    requireHome(caller)
    const request = { slug: parseTenantSlug(slug), name }
    const made = await parts.tenants.create(request, caller.principal)
    await parts.refresh()
    return made
  },
})

const findTenant = define({
  http: 'GET /api/v1/tenants/{slug}',
  summary: 'Get a tenant',
  description: scope,
  ...access,
  params,
  answer: { description: 'The tenant', schema: tenant },
  async run({ slug }, { caller, parts }) {
    requireHome(caller)
    const found = await parts.tenants.find(slug)
    if (found === undefined) throw tenantNotFound(slug)
    return found
  },
})

const changeTenant = define({
  http: 'PATCH /api/v1/tenants/{slug}',
  summary: 'Rename, suspend or resume a tenant',
  description: `While it is suspended every door answers 403 \`tenant_suspended\`. Queued calls stay queued and run when it is resumed. ${scope}`,
  ...access,
  params,
  body: tenantChange,
  answer: { description: 'The tenant', schema: tenant },
  refusals: { 409: 'The configuration declares it, or it must stay active' },
  async run({ slug, ...change }, { caller, parts }) {
    requireHome(caller)
    if (change.reason !== undefined && change.status !== 'suspended') throw needlessReason()
    const changed = await parts.tenants.change(slug, change, caller.principal)
    if (changed === undefined) throw tenantNotFound(slug)
    await parts.refresh()
    if (change.status === 'active') await parts.rouse(slug)
    return changed
  },
})

const deleteTenant = define({
  http: 'DELETE /api/v1/tenants/{slug}',
  summary: 'Delete a tenant and all its data',
  description: `This cannot be undone. The tenant is deleted at once; its data is removed in the background. ${scope}`,
  ...access,
  params,
  query: z.strictObject({ confirm: shortText('The slug again, to confirm') }),
  refusals: { 409: 'The configuration declares it, or it must always exist' },
  async run({ slug, confirm }, { caller, parts }) {
    requireHome(caller)
    if (confirm !== slug) throw unconfirmed(slug)
    if (!(await parts.tenants.delete(slug, caller.principal))) throw tenantNotFound(slug)
    await parts.refresh()
  },
})

/** Everything that can be done with tenants, by library method. */
export const tenantOperations = {
  listTenants,
  createTenant,
  findTenant,
  changeTenant,
  deleteTenant,
}

/** A tenant hands out permissions for itself: only those of the default tenant reach other tenants. */
function requireHome({ home, tenant: own }: Caller): void {
  if ((home ?? own) === defaultTenant) return
  throw new ToolError(
    'forbidden',
    `Tenants are managed from the tenant ${defaultTenant}; permissions of another tenant do not count`,
    { fix: `Use a key of the tenant ${defaultTenant} with the scope tenants.manage.` },
  )
}

function needlessReason(): ToolError {
  return new ToolError('invalid_request', 'A reason is only for suspending a tenant', {
    fix: 'Send it together with "status": "suspended".',
  })
}

function unconfirmed(slug: string): ToolError {
  return new ToolError(
    'invalid_request',
    `Deleting ${JSON.stringify(slug.slice(0, 100))} removes all its data for good`,
    { fix: 'Give the slug again to confirm: --confirm <slug>, or ?confirm=<slug>.' },
  )
}

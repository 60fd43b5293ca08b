import type { EventPayloads } from '../events/event.ts'
import type { Principal } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import type { Page } from '../kernel/page.ts'

/** The tenant that always exists. Members who manage tenants belong to it. */
export const defaultTenant = 'default'

/** The form of the slugs of tenants and agents. */
export const slugPattern = /^[a-z][a-z0-9-]{0,62}$/

/** An organisation: it owns agents, secrets, members, and all its calls. */
export interface Tenant {
  slug: string
  name: string
  /** Nobody can call or sign in while it is suspended; its data is kept. */
  status: 'active' | 'suspended'
  /** Why it is suspended. */
  reason?: string
  /** The configuration declares it. */
  isDeclared: boolean
  createdAt: string
}

export interface TenantChange {
  name?: string
  status?: Tenant['status']
  /** Why it is suspended. */
  reason?: string
}

/**
 * Tenants. Every change by a person is recorded in the same transaction as an event of the default
 * tenant and of the tenant itself. A tenant being deleted is already invisible to everyone.
 */
export interface TenantStore {
  /** Creates and resumes declared tenants. One that is no longer declared is suspended and keeps its data. */
  sync(declared: readonly { slug: string; name: string }[]): Promise<void>
  find(slug: string): Promise<Tenant | undefined>
  /** By slug. */
  list(query: { after?: string; limit: number }): Promise<Page<Tenant>>
  /** Throws conflict if the slug is taken or its last tenant is still being deleted. */
  create(tenant: { slug: string; name: string }, by: Principal): Promise<Tenant>
  /**
   * Undefined when there is none. Throws conflict for a change that the tenant does not allow.
   * Resuming extends deadlines by the time it was suspended.
   */
  change(slug: string, change: TenantChange, by: Principal): Promise<Tenant | undefined>
  /** Hides it from everyone; `removeDeleted` removes its data. False when there is none. */
  delete(slug: string, by: Principal): Promise<boolean>
  /**
   * Removes a part of the data of deleted tenants, and the tenant when nothing is left. Returns the
   * number of rows removed: 0 when there is nothing to do for now. Several nodes may call it
   * concurrently.
   */
  removeDeleted(options: RemovalOptions): Promise<number>
}

export interface RemovalOptions {
  /** Rows of a table that are removed in one step. */
  limit: number
  /** How long calls that were running at the time of deletion have to stop. */
  quietMs: number
}

/** Parses the slug of a new tenant. Throws invalid_request. */
export function parseTenantSlug(text: string): string {
  if (slugPattern.test(text)) return text
  throw new ToolError(
    'invalid_request',
    `${JSON.stringify(text.slice(0, 100))} can't be the slug of a tenant`,
    {
      fix: 'Use lower case letters, digits and dashes, starting with a letter; at most 63 characters.',
    },
  )
}

/** Missing tenants and those that the caller may not see get the same answer. */
export function tenantNotFound(slug: string): ToolError {
  return new ToolError('not_found', `There is no tenant ${JSON.stringify(slug.slice(0, 100))}`, {
    fix: 'toolcrib tenants lists them, if you manage tenants.',
  })
}

/** The error of every door while a tenant is suspended. */
export function tenantSuspended({ slug, reason }: Pick<Tenant, 'slug' | 'reason'>): ToolError {
  const why = reason === undefined || reason === '' ? '' : `: ${reason}`
  return new ToolError('tenant_suspended', `The tenant ${slug} is suspended${why}`, {
    fix: `Its data is kept. The operator of this server can resume it: toolcrib tenants resume ${slug}.`,
  })
}

/** The tenant after a change; undefined if nothing changes. Throws conflict for a change that the tenant does not allow. */
export function changeTenant(before: Tenant, wanted: TenantChange): Tenant | undefined {
  if (before.slug === defaultTenant && wanted.status === 'suspended') {
    throw new ToolError('conflict', "The tenant default can't be suspended")
  }
  const { name = before.name, status = before.status } = wanted
  if (before.isDeclared && name !== before.name) throw declaredTenant(before.slug, 'renamed')
  const { reason: earlier, ...rest } = before
  const reason = status === 'active' ? undefined : (wanted.reason ?? earlier)
  const after = { ...rest, name, status, ...(reason !== undefined && { reason }) }
  return isSame(before, after) ? undefined : after
}

function isSame(one: Tenant, other: Tenant): boolean {
  return one.name === other.name && one.status === other.status && one.reason === other.reason
}

/** The event data of a change. */
export function describeTenantChange(
  before: Tenant,
  after: Tenant,
): EventPayloads['tenant.changed'] {
  const { slug, name, status, reason } = after
  const from = { name: before.name, status: before.status }
  return { slug, name, status, ...(reason !== undefined && { reason }), from }
}

/** Throws conflict for a tenant that can't be deleted. */
export function assertDeletable({ slug, isDeclared }: Pick<Tenant, 'slug' | 'isDeclared'>): void {
  if (slug === defaultTenant) {
    throw new ToolError('conflict', "The tenant default can't be deleted")
  }
  if (isDeclared) throw declaredTenant(slug, 'deleted')
}

function declaredTenant(slug: string, what: string): ToolError {
  return new ToolError('conflict', `The configuration declares ${slug}, so it can't be ${what}`, {
    fix:
      what === 'deleted'
        ? 'Remove it from the configuration and restart, then delete it.'
        : 'Change its name in the configuration and restart.',
  })
}

/** The slug is taken, or its last tenant is still being deleted. */
export function slugTaken(slug: string, isBeingDeleted: boolean): ToolError {
  return isBeingDeleted
    ? new ToolError('conflict', `The last tenant ${slug} is still being deleted`, {
        fix: 'Try again in a minute, or choose another slug.',
      })
    : new ToolError('conflict', `There is already a tenant ${slug}`, {
        fix: 'Choose another slug.',
      })
}

import type { Principal } from '../call.ts'
import { ToolError } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import type { Page } from '../page.ts'

/** The tenant that is always there: whoever manages tenants belongs to it. */
export const defaultTenant = 'default'

/** How tenants and agents are called. */
export const slugPattern = /^[a-z][a-z0-9-]{0,62}$/

/** An organisation: it owns agents, secrets, members, and all its calls. */
export interface Tenant {
  slug: string
  name: string
  /** Nobody calls or signs in while it is suspended; nothing of it is lost. */
  status: 'active' | 'suspended'
  /** Why it is suspended. */
  reason?: string
  /** Configuration declares it. */
  isDeclared: boolean
  createdAt: string
}

export interface TenantChange {
  name?: string
  status?: Tenant['status']
  /** Why it is suspended; of no use otherwise. */
  reason?: string
}

/**
 * Tenants. What people do with them is an event in the same transaction, told to the default tenant
 * and to the tenant itself. One that is being deleted is not there any more, for nobody.
 */
export interface TenantStore {
  /** Declared tenants are there and active; one that is declared no more is suspended, and keeps what it has. */
  sync(declared: readonly { slug: string; name: string }[]): Promise<void>
  find(slug: string): Promise<Tenant | undefined>
  /** By slug. */
  list(query: { after?: string; limit: number }): Promise<Page<Tenant>>
  /** Throws conflict when there is one, or when one of that slug is still being deleted. */
  create(tenant: { slug: string; name: string }, by: Principal): Promise<Tenant>
  /**
   * Undefined when there is none. Throws conflict for what a tenant does not allow. What waited with a
   * deadline while it was suspended is given the time back.
   */
  change(slug: string, change: TenantChange, by: Principal): Promise<Tenant | undefined>
  /** From here on it is gone for everybody; `removeDeleted` removes what it had. False when there is none. */
  delete(slug: string, by: Principal): Promise<boolean>
  /**
   * Removes a part of what deleted tenants had, and the tenant when nothing is left. Returns how much
   * went: 0 when there is nothing more to do for now. Any number of nodes may do so at once.
   */
  removeDeleted(options: RemovalOptions): Promise<number>
}

export interface RemovalOptions {
  /** Rows of a table that go in one step. */
  limit: number
  /** What ran when it was deleted is told to stop, and has so long to do so. */
  quietMs: number
}

/** A slug that a new tenant may have. Throws invalid_request for any other. */
export function parseTenantSlug(text: string): string {
  if (slugPattern.test(text)) return text
  throw new ToolError(
    'invalid_request',
    `${JSON.stringify(text.slice(0, 100))} can't be the slug of a tenant`,
    { fix: 'Use small letters, digits and dashes, starting with a letter; at most 63 of them.' },
  )
}

/** Foreign and missing tenants are one answer. */
export function tenantNotFound(slug: string): ToolError {
  return new ToolError('not_found', `There is no tenant ${JSON.stringify(slug.slice(0, 100))}`, {
    fix: 'toolcrib tenants lists them, for who manages tenants.',
  })
}

/** What every door answers while a tenant is suspended. */
export function tenantSuspended({ slug, reason }: Pick<Tenant, 'slug' | 'reason'>): ToolError {
  const why = reason === undefined || reason === '' ? '' : `: ${reason}`
  return new ToolError('tenant_suspended', `The tenant ${slug} is suspended${why}`, {
    fix: `Nothing of it is lost. Whoever runs this crib can take it up again: toolcrib tenants resume ${slug}.`,
  })
}

/** The tenant after a change, undefined when it changes nothing. Throws conflict for what the tenant does not allow. */
export function changeTenant(before: Tenant, wanted: TenantChange): Tenant | undefined {
  if (before.slug === defaultTenant && wanted.status === 'suspended') {
    throw new ToolError('conflict', 'The tenant default is always there and active')
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

/** What a change of a tenant tells. */
export function describeTenantChange(before: Tenant, after: Tenant): Record<string, JsonValue> {
  const { slug, name, status, reason } = after
  const from = { name: before.name, status: before.status }
  return { slug, name, status, ...(reason !== undefined && { reason }), from }
}

/** Throws conflict for a tenant that can't be deleted. */
export function assertDeletable({ slug, isDeclared }: Pick<Tenant, 'slug' | 'isDeclared'>): void {
  if (slug === defaultTenant) {
    throw new ToolError('conflict', "The tenant default is always there and can't be deleted")
  }
  if (isDeclared) throw declaredTenant(slug, 'deleted')
}

function declaredTenant(slug: string, what: string): ToolError {
  return new ToolError(
    'conflict',
    `${slug} is declared by the configuration and can't be ${what}`,
    {
      fix:
        what === 'deleted'
          ? 'Take it out of the configuration and start again; then delete it.'
          : 'Change its name in the configuration and start again.',
    },
  )
}

/** A tenant of this slug is there, or was a moment ago. */
export function slugTaken(slug: string, isBeingDeleted: boolean): ToolError {
  return isBeingDeleted
    ? new ToolError('conflict', `What was called ${slug} is still being deleted`, {
        fix: 'Try again in a minute, or choose another slug.',
      })
    : new ToolError('conflict', `There is a tenant ${slug} already`, {
        fix: 'Choose another slug.',
      })
}

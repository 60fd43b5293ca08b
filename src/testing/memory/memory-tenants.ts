import type { Principal } from '../../core/call.ts'
import type { EventType } from '../../core/events/event.ts'
import type { JsonValue } from '../../core/json.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import {
  assertDeletable,
  changeTenant,
  defaultTenant,
  describeTenantChange,
  slugTaken,
} from '../../core/rules/tenant.ts'
import type { Tenant, TenantStore } from '../../core/rules/tenant.ts'

/** Tenants in memory. `note` is told of every one that changes. */
export function createMemoryTenants(events: EventLog, note: (slug: string) => void): TenantStore {
  const tenants = new Map<string, Tenant>()
  async function tell(
    of: readonly string[],
    principal: Principal,
    { type, data }: { type: EventType; data: JsonValue },
  ): Promise<void> {
    const told = [{ type, at: Date.now(), data }]
    await events.record(of.map((tenant) => ({ tenant, principal, events: told })))
  }
  function put(tenant: Tenant): Tenant {
    tenants.set(tenant.slug, tenant)
    note(tenant.slug)
    return tenant
  }
  return {
    async sync(declared) {
      for (const [slug, tenant] of tenants) {
        if (tenant.isDeclared && !declared.some((one) => one.slug === slug)) {
          put({ ...tenant, isDeclared: false, status: 'suspended' })
        }
      }
      for (const { slug, name } of declared) {
        const createdAt = tenants.get(slug)?.createdAt ?? new Date().toISOString()
        put({ slug, name, status: 'active', isDeclared: true, createdAt })
      }
    },
    find: async (slug) => tenants.get(slug),
    async list({ after = '', limit }) {
      const all = [...tenants.values()]
        .filter(({ slug }) => slug > after)
        .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
      const items = all.slice(0, limit)
      return all.length > limit ? { items, next: items.at(-1)?.slug } : { items }
    },
    async create({ slug, name }, by) {
      if (tenants.has(slug)) throw slugTaken(slug, false)
      const createdAt = new Date().toISOString()
      const tenant = put({ slug, name, status: 'active', isDeclared: false, createdAt })
      await tell([defaultTenant, slug], by, { type: 'tenant.created', data: { slug, name } })
      return tenant
    },
    async change(slug, wanted, by) {
      const known = tenants.get(slug)
      if (known === undefined) return undefined
      const after = changeTenant(known, wanted)
      if (after === undefined) return known
      const data = describeTenantChange(known, after)
      await tell([...new Set([defaultTenant, slug])], by, { type: 'tenant.changed', data })
      return put(after)
    },
    async delete(slug, by) {
      const known = tenants.get(slug)
      if (known === undefined) return false
      assertDeletable(known)
      tenants.delete(slug)
      note(slug)
      const data = { slug, name: known.name }
      await tell([defaultTenant], by, { type: 'tenant.deleted', data })
      return true
    },
    // What is forgotten with its process need not be removed before.
    removeDeleted: async () => 0,
  }
}

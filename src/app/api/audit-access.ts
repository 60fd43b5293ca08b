import type { AuditApi } from '../../core/audit/audit-api.ts'
import type { AuditEntry, AuditFilter } from '../../core/audit/audit-filter.ts'
import type { Caller } from '../../core/call.ts'
import type { Store } from '../../core/ports.ts'
import type { JsonValue } from '../../core/tool.ts'
import { defaultTenant } from '../governance/scope-source.ts'
import { tenantNotFound } from '../../core/rules/tenant.ts'
import { agentFor } from '../../core/operations/agent-reach.ts'
import { holds, requirePermission } from '../../core/operations/require-permission.ts'
import { nextTurn } from '../../core/map-in-turns.ts'

type AuditStore = Pick<Store, 'audit' | 'events' | 'tenants'>

/** Small pages: an embedded database reads one without letting anybody else have a turn. */
const exportedAtOnce = { limit: 200, maxBytes: 131_072 }

/** The audit of the caller's tenant. */
export function createAuditAccess({ store }: { store: AuditStore }): AuditApi {
  return {
    async listAudit(caller, query) {
      requirePermission(caller, 'audit.read')
      const filter = { ...query, ...boundTo(caller, query) }
      const page = await store.audit.list(caller.tenant, { ...filter, order: 'newest' })
      return { ...page, items: await withNames(store, caller.tenant, page.items) }
    },
    exportAudit(caller, query) {
      requirePermission(caller, 'audit.read')
      // At once: once the first page is under way there is no other answer any more.
      if (query.after !== undefined) store.events.compare(query.after, query.after)
      return exportPages(store, caller, { ...query, ...boundTo(caller, query) })
    },
    async checkAudit(caller, { tenant, ...query }) {
      requirePermission(caller, 'audit.read')
      return store.audit.check(await tenantFor(store, caller, tenant), query)
    },
  }
}

/** Whoever is bound to an agent reads what that agent did. */
function boundTo(caller: Caller, { agent }: AuditFilter): Pick<AuditFilter, 'agent'> {
  const bound = agentFor(caller, agent)
  return bound === undefined ? {} : { agent: bound }
}

async function* exportPages(
  store: AuditStore,
  caller: Caller,
  { format, after: start, ...filter }: Parameters<AuditApi['exportAudit']>[1],
): AsyncGenerator<readonly AuditEntry[]> {
  const { tenant, principal } = caller
  const until = await store.events.end(tenant)
  const data = toJson({ format, ...(start !== undefined && { after: start }), filter })
  const event = { type: 'audit.exported' as const, at: Date.now(), data }
  await store.events.record([{ tenant, principal, events: [event] }])
  const query = { ...filter, order: 'oldest', until, ...exportedAtOnce } as const
  let after = start
  do {
    const page = await store.audit.list(tenant, { ...query, after })
    // Also an empty one: whoever passes it on hears that it goes on, and may stop.
    yield await withNames(store, tenant, page.items)
    await nextTurn()
    after = page.next
  } while (after !== undefined)
}

/** Whoever looks after all tenants is somebody of the first one; elsewhere `*` means all of one's own. */
async function tenantFor(
  { tenants }: AuditStore,
  caller: Caller,
  asked: string | undefined,
): Promise<string> {
  if (asked === undefined || asked === caller.tenant) return caller.tenant
  const mayAsk = caller.tenant === defaultTenant && holds(caller, 'tenants.manage')
  if (mayAsk && (await tenants.find(asked)) !== undefined) return asked
  throw tenantNotFound(asked)
}

async function withNames(
  { audit }: AuditStore,
  tenant: string,
  items: readonly AuditEntry[],
): Promise<AuditEntry[]> {
  const nameOf = ({ principal: { kind, id } }: AuditEntry) => `${kind}:${id}`
  const names = await audit.nameAll(tenant, [...new Set(items.map(nameOf))])
  return items.map((item) => {
    const name = names.get(nameOf(item))
    return name === undefined ? item : { ...item, principalName: name }
  })
}

function toJson(value: { filter: AuditFilter } & Record<string, unknown>): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}

import { z } from 'zod'
import type { AuditEntry, AuditFilter } from '../../core/audit/audit-filter.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { nextTurn } from '../../core/kernel/map-in-turns.ts'
import { agentFor } from '../../core/operations/agent-reach.ts'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { count } from '../../core/operations/query-fields.ts'
import { holds } from '../../core/operations/require-permission.ts'
import type { Stores } from '../stores.ts'
import { defaultTenant, tenantNotFound } from '../../core/rules/tenant.ts'
import { auditEntry } from '../events/event-schemas.ts'
import { anchors, auditCheck, auditFilters, toFilter } from './schemas.ts'

/** The dependencies of the operations on the audit log. */
export type AuditParts = Pick<Stores, 'audit' | 'events' | 'tenants' | 'now'>

/** How an export is written. */
export const auditFormats = ['jsonl', 'csv'] as const
export type AuditFormat = (typeof auditFormats)[number]

/** Small pages, because reading one blocks the embedded database. */
const exportPage = { limit: 200, maxBytes: 131_072 }

const define = operationsOf<AuditParts>('Audit')

const listAudit = define({
  http: 'GET /api/v1/audit',
  summary: 'Search the audit log',
  description:
    'Newest first, with the names of members and keys. A page that had to search many events may be short or empty and still have a `next`: pass it as `after` to continue.',
  needs: 'audit.read',
  agents: 'own',
  query: auditFilters.extend({
    after: shortText('The `next` of the previous page').optional(),
    limit: pageLimit(100, 1000),
  }),
  answer: { description: 'A page of events', schema: pageOf(auditEntry) },
  async run({ after, limit, ...asked }, { caller, parts }) {
    const filter = { ...toFilter(asked), ...boundTo(caller, asked) }
    const query = { ...filter, after, limit, order: 'newest' } as const
    const page = await parts.audit.list(caller.tenant, query)
    return { ...page, items: await withNames(parts, caller.tenant, page.items) }
  },
})

const exportAudit = define({
  http: 'GET /api/v1/audit/export',
  summary: 'Export the audit log',
  description:
    'Everything that matches, oldest first, up to now, streamed. To continue an interrupted export, pass the id of its last event as `after`; a CSV then has no header. An interrupted answer is incomplete.',
  needs: 'audit.read',
  agents: 'own',
  query: auditFilters.extend({
    format: z.enum(auditFormats).default('jsonl'),
    after: shortText('Only events after this one').optional(),
  }),
  answer: {
    description: 'The export',
    schema: z.custom<AsyncIterable<readonly AuditEntry[]>>(),
    stream: { types: ['application/jsonl', 'text/csv'], item: auditEntry },
  },
  run: async ({ format, after, ...asked }, { caller, parts }) => {
    // Checked first, because an export can't be refused once its first page has been sent.
    if (after !== undefined) parts.events.compare(after, after)
    const filter = { ...toFilter(asked), ...boundTo(caller, asked) }
    return exportPages(parts, caller, { format, after, filter })
  },
})

const verifyAudit = define({
  http: 'GET /api/v1/audit/verify',
  summary: 'Verify the audit log',
  description:
    'Checks the chain of digests over the log, part by part: pass `next` as `after` until it is absent. `problems` lists each problem with its segment and the events around it.',
  needs: 'audit.read',
  agents: 'none',
  query: z.strictObject({
    after: count('Continue after this segment (0)').optional(),
    anchor: anchors.optional(),
    tenant: shortText('Another tenant, for callers who manage all tenants').optional(),
  }),
  answer: { description: 'The result for this part', schema: auditCheck },
  async run({ after = 0, anchor, tenant }, { caller, parts }) {
    return parts.audit.check(await tenantFor(parts, caller, tenant), { after, anchors: anchor })
  },
})

/** Everything that can be done with the audit log, by library method. */
export const auditOperations = { listAudit, exportAudit, verifyAudit }

/** A caller bound to an agent reads only what that agent did. */
function boundTo(caller: Caller, { agent }: { agent?: string }): Pick<AuditFilter, 'agent'> {
  const bound = agentFor(caller, agent)
  return bound === undefined ? {} : { agent: bound }
}

interface Export {
  format: AuditFormat
  after: string | undefined
  filter: AuditFilter
}

async function* exportPages(
  parts: AuditParts,
  { tenant, principal }: Caller,
  { format, after: start, filter }: Export,
): AsyncGenerator<readonly AuditEntry[]> {
  const until = await parts.events.end(tenant)
  const data = { format, ...(start !== undefined && { after: start }), filter: toJson(filter) }
  const event = { type: 'audit.exported' as const, at: parts.now(), data }
  await parts.events.record([{ tenant, principal, events: [event] }])
  const query = { ...filter, order: 'oldest', until, ...exportPage } as const
  let after = start
  do {
    const page = await parts.audit.list(tenant, { ...query, after })
    // Including empty pages: they show the reader that the export continues, and let it stop.
    yield await withNames(parts, tenant, page.items)
    await nextTurn()
    after = page.next
  } while (after !== undefined)
}

/** Only operators of the default tenant manage other tenants; elsewhere `*` covers the own tenant. */
async function tenantFor(
  { tenants }: AuditParts,
  caller: Caller,
  asked: string | undefined,
): Promise<string> {
  if (asked === undefined || asked === caller.tenant) return caller.tenant
  const mayAsk = caller.tenant === defaultTenant && holds(caller, 'tenants.manage')
  if (mayAsk && (await tenants.find(asked)) !== undefined) return asked
  throw tenantNotFound(asked)
}

async function withNames(
  { audit }: AuditParts,
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

function toJson(filter: AuditFilter): Record<string, JsonValue> {
  return JSON.parse(JSON.stringify(filter)) as Record<string, JsonValue>
}

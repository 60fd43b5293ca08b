import { z } from 'zod'
import { auditFormats } from '../../../core/audit/audit-api.ts'
import type { AuditFormat } from '../../../core/audit/audit-api.ts'
import type { AuditEntry, AuditFilter } from '../../../core/audit/audit-filter.ts'
import { toEventTypes } from '../../../core/audit/event-groups.ts'
import { toCsvHeader, toCsvRow } from '../../../core/audit/to-csv.ts'
import type { EventType } from '../../../core/events/event.ts'
import { auditCheck, auditEntry, auditFilters } from '../describe/audit-schemas.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { count } from '../request/query-fields.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { exportReply } from '../streams/export-stream.ts'

const filters = z.strictObject(auditFilters)

const listAudit = defineRoute({
  method: 'get',
  path: '/api/v1/audit',
  tag: 'Audit',
  summary: 'Look through what happened',
  description:
    'Newest first, with the names of members and keys. A page that had to look through much is short, or even empty, and still has a `next`: go on with it as `after`.',
  query: filters.extend({
    after: shortText('Go on with the `next` of the page before').optional(),
    limit: pageLimit(100, 1000),
  }),
  answers: { 200: { description: 'A page of events', schema: pageOf(auditEntry) } },
  async handle({ door, caller, query: { after, limit, ...asked } }) {
    return json(200, await door.api.listAudit(caller, { ...toFilter(asked), after, limit }))
  },
})

const exportAudit = defineRoute({
  method: 'get',
  path: '/api/v1/audit/export',
  tag: 'Audit',
  summary: 'Take a copy of the log',
  description:
    'Everything that fits, oldest first, up to now, as it is read. To go on with a copy that broke off, ask with the id of its last event as `after`; a CSV then comes without its header. An answer that breaks off was not complete.',
  query: filters.extend({
    format: z.enum(auditFormats).default('jsonl'),
    after: shortText('Only what comes after this event').optional(),
  }),
  answers: {
    200: { description: 'The copy', types: ['application/jsonl', 'text/csv'], schema: auditEntry },
  },
  handle(asked) {
    const { format, after, ...query } = asked.query
    const pages = asked.door.api.exportAudit(asked.caller, { ...toFilter(query), format, after })
    const day = new Date().toISOString().slice(0, 10)
    return exportReply(asked, {
      pieces: toPieces(pages, { format, hasHeader: after === undefined }),
      type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
      filename: `audit-${day}.${format}`,
    })
  },
})

const verifyAudit = defineRoute({
  method: 'get',
  path: '/api/v1/audit/verify',
  tag: 'Audit',
  summary: 'Check that nothing was tampered with',
  description:
    'Checks the chain of digests over the log, a stretch at a time: go on with `next` as `after` until there is none. `problems` says what is wrong, in which segment and between which events.',
  query: z.strictObject({
    after: count('Go on after this segment (0)').optional(),
    anchor: anchors().optional(),
    tenant: shortText('Another tenant, for those who manage them all').optional(),
  }),
  answers: { 200: { description: 'What this stretch turned out to be', schema: auditCheck } },
  async handle({ door, caller, query: { after = 0, anchor, tenant } }) {
    return json(200, await door.api.checkAudit(caller, { after, anchors: anchor, tenant }))
  },
})

function anchors() {
  return z
    .union([z.string(), z.array(z.string())])
    .meta({
      type: 'string',
      description: 'What was kept elsewhere, as `segment:digest`; several separated by commas',
    })
    .transform((given) => [given].flat().flatMap((part) => part.split(',')))
    .pipe(
      z
        .array(
          z.string().regex(/^\d{1,9}:[0-9a-f]{64}$/, 'must be like 12:3fa…, as verify shows it'),
        )
        .max(100),
    )
    .transform((all) =>
      all.map((one) => {
        const colon = one.indexOf(':')
        return { number: Number(one.slice(0, colon)), digest: one.slice(colon + 1) }
      }),
    )
}

function toFilter(query: z.output<typeof filters>): AuditFilter {
  const { who, what, outcome, from, to, ...rest } = query
  return {
    ...rest,
    principal: who,
    fromMs: from,
    toMs: to,
    types: toTypes(what, outcome),
  }
}

/** Both at once: what is one of these and one of those. */
function toTypes(
  what: readonly string[] | undefined,
  outcome: readonly string[] | undefined,
): readonly EventType[] | undefined {
  const ends = outcome?.map((status) => `call.${status}` as EventType)
  if (what === undefined) return ends
  const types = toEventTypes(what)
  return ends === undefined ? types : types.filter((type) => ends.includes(type))
}

async function* toPieces(
  pages: AsyncIterable<readonly AuditEntry[]>,
  { format, hasHeader }: { format: AuditFormat; hasHeader: boolean },
): AsyncGenerator<string> {
  const toLine = format === 'csv' ? toCsvRow : (entry: AuditEntry) => `${JSON.stringify(entry)}\n`
  if (format === 'csv' && hasHeader) yield toCsvHeader()
  for await (const entries of pages) yield entries.map(toLine).join('')
}

export const auditRoutes: readonly Route[] = [listAudit, exportAudit, verifyAudit]

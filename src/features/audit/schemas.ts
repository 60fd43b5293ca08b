import { z } from 'zod'
import { auditProblems } from '../../core/audit/audit-check.ts'
import type { AuditFilter } from '../../core/audit/audit-filter.ts'
import { eventGroups, toEventTypes } from '../event-types.ts'
import type { EventType } from '../../core/events/event.ts'
import { shortText, time } from '../../core/operations/fields.ts'
import { listOf, moment } from '../../core/operations/query-fields.ts'

/** Strings separated by commas or given several times. */
function texts(description: string) {
  return z
    .union([z.string(), z.array(z.string())])
    .meta({ type: 'string', description })
    .transform((given) => [given].flat().flatMap((part) => part.split(',')))
}

const subjects = texts(
  `Event types, or groups of them (${eventGroups.join(', ')}), separated by commas`,
).pipe(
  z.array(
    z.string().refine((word) => toEventTypes([word]).length > 0, {
      error: `must be an event type or one of ${eventGroups.join(', ')}`,
    }),
  ),
)

/** The filters of an audit; the same for a page and for an export. */
export const auditFilters = z.strictObject({
  who: shortText('By this principal (`kind:id`, or an id), or on its behalf').optional(),
  what: subjects.optional(),
  tool: shortText('About this tool').optional(),
  agent: shortText('By this agent').optional(),
  outcome: listOf(
    ['completed', 'failed', 'denied', 'cancelled'],
    'Only the final events of calls with this outcome',
  ).optional(),
  verdict: z
    .enum(['allow', 'ask', 'deny'])
    .optional()
    .meta({ description: 'Only requests with this verdict' }),
  layer: shortText('Only requests decided by this policy layer').optional(),
  sessionId: shortText('Only events of this session').optional(),
  callId: shortText('Only events of this call').optional(),
  from: moment('From this time on: a day, or a time with a zone').optional(),
  to: moment('Before this time').optional(),
  text: shortText('With this text in the event data, ignoring case').optional(),
})

const problem = z.object({
  kind: z.enum(Object.keys(auditProblems) as [keyof typeof auditProblems]),
  segment: z.int(),
  message: z.string(),
  afterEvent: z.string().optional(),
  beforeEvent: z.string().optional(),
  found: z.array(z.string()).readonly().optional(),
  missing: z.int().optional(),
})

/** The result of checking a part of the chain. */
export const auditCheck = z
  .object({
    segments: z.int(),
    events: z.int(),
    from: z.object({ segment: z.int(), at: time }).optional(),
    to: z
      .object({ segment: z.int(), digest: z.string(), at: time })
      .optional()
      .meta({ description: 'Keep `segment:digest` elsewhere and pass it later as `anchor`' }),
    problems: z.array(problem).readonly(),
    removed: z.object({ records: z.int(), until: time }).optional(),
    unsealed: z.int().optional(),
    next: z.int().optional(),
  })
  .meta({ id: 'AuditCheck' })

/** Digests that were kept elsewhere. */
export const anchors = texts('Digests kept elsewhere, as `segment:digest`, separated by commas')
  .pipe(
    z
      .array(z.string().regex(/^\d{1,9}:[0-9a-f]{64}$/, 'must be like 12:3fa…, as verify shows it'))
      .max(100),
  )
  .transform((all) =>
    all.map((one) => {
      const colon = one.indexOf(':')
      return { number: Number(one.slice(0, colon)), digest: one.slice(colon + 1) }
    }),
  )

/** The filter that a query means. */
export function toFilter(query: z.output<typeof auditFilters>): AuditFilter {
  const { who, what, outcome, from, to, ...rest } = query
  return { ...rest, principal: who, fromMs: from, toMs: to, types: toTypes(what, outcome) }
}

/** Given both, only the types that are in both. */
function toTypes(
  what: readonly string[] | undefined,
  outcome: readonly string[] | undefined,
): readonly EventType[] | undefined {
  const ends = outcome?.map((status) => `call.${status}` as EventType)
  if (what === undefined) return ends
  const types = toEventTypes(what)
  return ends === undefined ? types : types.filter((type) => ends.includes(type))
}

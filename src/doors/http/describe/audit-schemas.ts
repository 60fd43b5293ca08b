import { z } from 'zod'
import { auditProblems } from '../../../core/audit/audit-check.ts'
import type { AuditCheck } from '../../../core/audit/audit-check.ts'
import type { AuditEntry } from '../../../core/audit/audit-filter.ts'
import { eventGroups, toEventTypes } from '../../../core/audit/event-groups.ts'
import { eventTypes } from '../../../core/events/event.ts'
import type { ToolUsage, UsageRow } from '../../../core/usage/usage.ts'
import { jsonValue, principal, shortText, time } from '../../../core/operations/fields.ts'
import { listOf, moment } from '../request/query-fields.ts'

export const auditEntry: z.ZodType<AuditEntry> = z
  .object({
    id: z.string().meta({ description: 'Opaque cursor: read on after it' }),
    seq: z.int(),
    at: time,
    tenant: z.string(),
    callId: z.string().optional(),
    sessionId: z.string().optional(),
    agent: z.string().optional(),
    principal,
    principalName: z.string().optional().meta({ description: 'Of a member or a key' }),
    tool: z.string().optional().meta({ description: 'The tool it is about' }),
    type: z.enum(eventTypes),
    data: jsonValue,
  })
  .meta({ id: 'AuditEntry' })

/** Types and groups of events, separated by commas or given several times. */
function subjects() {
  return z
    .union([z.string(), z.array(z.string())])
    .meta({
      type: 'string',
      description: `Types of events, or groups of them (${eventGroups.join(', ')}), separated by commas`,
    })
    .transform((given) => [given].flat().flatMap((part) => part.split(',')))
    .pipe(
      z.array(
        z.string().refine((word) => toEventTypes([word]).length > 0, {
          error: `must be a type of events or one of ${eventGroups.join(', ')}`,
        }),
      ),
    )
}

/** What an audit can be narrowed by; the same for a page and for a copy. */
export const auditFilters = {
  who: shortText('By this principal (`kind:id`, or an id), or on behalf of them').optional(),
  what: subjects().optional(),
  tool: shortText('About this tool').optional(),
  agent: shortText('By this agent').optional(),
  outcome: listOf(
    ['completed', 'failed', 'denied', 'cancelled'],
    'Only ends of calls that ended so',
  ).optional(),
  verdict: z
    .enum(['allow', 'ask', 'deny'])
    .optional()
    .meta({ description: 'Only requests that were decided so' }),
  layer: shortText('Only requests that this layer of policy decided').optional(),
  sessionId: shortText('Only events of this session').optional(),
  callId: shortText('Only events of this call').optional(),
  from: moment('From this time on: a day, or a time with its zone').optional(),
  to: moment('Before this time').optional(),
  text: shortText('With this text in what it says, whatever the case').optional(),
}

const problem = z.object({
  kind: z.enum(Object.keys(auditProblems) as [keyof typeof auditProblems]),
  segment: z.int(),
  message: z.string(),
  afterEvent: z.string().optional(),
  beforeEvent: z.string().optional(),
  found: z.array(z.string()).readonly().optional(),
  missing: z.int().optional(),
})

export const auditCheck: z.ZodType<AuditCheck> = z
  .object({
    segments: z.int(),
    events: z.int(),
    from: z.object({ segment: z.int(), at: time }).optional(),
    to: z
      .object({ segment: z.int(), digest: z.string(), at: time })
      .optional()
      .meta({ description: 'Keep `segment:digest` elsewhere: it is what an anchor is' }),
    problems: z.array(problem).readonly(),
    removed: z.object({ records: z.int(), until: time }).optional(),
    unsealed: z.int().optional(),
    next: z.int().optional(),
  })
  .meta({ id: 'AuditCheck' })

export const usageRow: z.ZodType<UsageRow> = z
  .object({
    subject: z.string().meta({ description: 'The day, tool, agent or principal' }),
    name: z.string().optional(),
    calls: z.int(),
    completed: z.int(),
    failed: z.int(),
    denied: z.int(),
    cancelled: z.int(),
    runMs: z.int(),
    outputBytes: z.int(),
    cost: z.number(),
  })
  .meta({ id: 'UsageRow' })

export const toolUsage: z.ZodType<ToolUsage> = z
  .object({
    tool: z.string(),
    calls: z.int(),
    completed: z.int(),
    failed: z.int(),
    denied: z.int(),
    cancelled: z.int(),
    p95Ms: z.int().optional().meta({
      description: '95 of 100 calls that ran took so long or less, to within a fifth',
    }),
    days: z.array(z.int()).meta({ description: 'Calls of each day, the first day first' }),
  })
  .meta({ id: 'ToolUsage' })

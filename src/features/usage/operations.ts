import { z } from 'zod'
import type { AuditLog } from '../../core/audit/audit-log.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { isWithin } from '../../core/operations/agent-reach.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { requireUnbound } from '../../core/operations/require-permission.ts'
import { count } from '../../core/operations/query-fields.ts'
import { toUsageDay, usageGroupings } from '../../core/usage/usage.ts'
import type { UsageStore } from '../../core/usage/usage.ts'
import { toolUsage, usageRow } from './schemas.ts'

/** The dependencies of the operations on usage. */
export interface UsageParts {
  usage: UsageStore
  audit: Pick<AuditLog, 'nameAll'>
  now(): number
}

/** Longer periods are read in parts. */
const maxDays = 1000
const usualDays = 30
const dayMs = 86_400_000

const define = operationsOf<UsageParts>('Usage')

function figures<T extends z.ZodType>(row: T) {
  const schema = z.object({ from: z.string(), to: z.string(), items: z.array(row) })
  return { description: 'The figures', schema }
}

const readUsage = define({
  http: 'GET /api/v1/usage',
  summary: 'Read usage figures',
  description:
    'Settled calls by day (UTC): how they ended, how long they ran, how much they returned and what they cost. About a second behind. At most 1000 rows: days in order, everything else by number of calls.',
  needs: 'usage.read',
  agents: 'own',
  query: z.strictObject({
    from: z.iso
      .date()
      .optional()
      .meta({ description: `First day (${usualDays} days ago)` }),
    to: z.iso.date().optional().meta({ description: 'Last day (today)' }),
    by: z.enum(usageGroupings).default('day'),
  }),
  answer: figures(usageRow),
  async run({ by, ...days }, { caller, parts: { usage, audit, now } }) {
    const to = days.to ?? toUsageDay(now())
    const from = days.from ?? toUsageDay(Date.parse(to) - (usualDays - 1) * dayMs)
    assertDays(from, to)
    if (by !== 'agent') requireUnbound(caller)
    const all = await usage.read(caller.tenant, { from, to, by })
    const items = all.filter(({ subject }) => isWithin(caller, subject))
    if (by !== 'principal') return { from, to, items }
    const names = await audit.nameAll(
      caller.tenant,
      items.map(({ subject }) => subject),
    )
    return { from, to, items: items.map((row) => ({ ...row, name: names.get(row.subject) })) }
  },
})

const readToolUsage = define({
  http: 'GET /api/v1/tool-usage',
  summary: 'Read usage by tool',
  description:
    'Every tool called in the last days: calls by day (UTC), how they ended and how long they ran. About a second behind. At most 1000 tools, most calls first.',
  needs: 'usage.read',
  agents: 'none',
  query: z.strictObject({
    days: count('Number of days, including today (14); at most 90').optional(),
  }),
  answer: figures(toolUsage),
  async run({ days = 14 }, { caller, parts: { usage, now } }) {
    const back = Math.min(Math.max(days, 1), 90) - 1
    const period = { from: toUsageDay(now() - back * dayMs), to: toUsageDay(now()) }
    return { ...period, items: await usage.readTools(caller.tenant, period) }
  },
})

/** Everything that can be asked about usage, by library method. */
export const usageOperations = { readUsage, readToolUsage }

function assertDays(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days >= 1 && days <= maxDays) return
  throw new ToolError(
    'invalid_request',
    `${from} to ${to} is not a period of 1 to ${maxDays} days`,
    {
      fix: 'Pass days as YYYY-MM-DD, the earlier one as from.',
    },
  )
}

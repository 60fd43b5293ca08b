import { z } from 'zod'
import { toUsageDay, usageGroupings } from '../../../core/usage/usage.ts'
import { toolUsage, usageRow } from '../describe/audit-schemas.ts'
import { count } from '../request/query-fields.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const dayMs = 86_400_000
const usualDays = 30

const readUsage = defineRoute({
  method: 'get',
  path: '/api/v1/usage',
  tag: 'Usage',
  summary: 'Read what was used',
  description:
    'Calls that have settled, by the day (UTC), with how they ended, how long they ran, what they gave out and what they cost. About a second behind. At most 1000 rows: by day in order, others with the most calls first.',
  query: z.strictObject({
    from: z.iso
      .date()
      .optional()
      .meta({ description: `First day (${usualDays} days ago)` }),
    to: z.iso.date().optional().meta({ description: 'Last day (today)' }),
    by: z.enum(usageGroupings).default('day'),
  }),
  answers: {
    200: {
      description: 'The figures',
      schema: z.object({ from: z.string(), to: z.string(), items: z.array(usageRow) }),
    },
  },
  async handle({ door, caller, query }) {
    const to = query.to ?? toUsageDay(Date.now())
    const from = query.from ?? toUsageDay(Date.parse(to) - (usualDays - 1) * dayMs)
    const items = await door.api.readUsage(caller, { from, to, by: query.by })
    return json(200, { from, to, items })
  },
})

const readToolUsage = defineRoute({
  method: 'get',
  path: '/api/v1/tool-usage',
  tag: 'Usage',
  summary: 'Read how each tool was used',
  description:
    'Every tool that was called in the last days, with its calls by the day (UTC), how they ended and how long they ran. About a second behind. At most 1000 tools, those with the most calls first.',
  query: z.strictObject({
    days: count('How many days, today included (14); at most 90').optional(),
  }),
  answers: {
    200: {
      description: 'The figures',
      schema: z.object({ from: z.string(), to: z.string(), items: z.array(toolUsage) }),
    },
  },
  async handle({ door, caller, query }) {
    const days = Math.min(Math.max(query.days ?? 14, 1), 90)
    const now = Date.now()
    const time = { from: toUsageDay(now - (days - 1) * dayMs), to: toUsageDay(now) }
    return json(200, { ...time, items: await door.api.readToolUsage(caller, time) })
  },
})

export const usageRoutes: readonly Route[] = [readUsage, readToolUsage]

import { z } from '@hono/zod-openapi'
import { toUsageDay, usageGroupings } from '../../../core/usage/usage.ts'
import { usageRow } from '../describe/audit-schemas.ts'
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
      .openapi({ description: `First day (${usualDays} days ago)` }),
    to: z.iso.date().optional().openapi({ description: 'Last day (today)' }),
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

export const usageRoutes: readonly Route[] = [readUsage]

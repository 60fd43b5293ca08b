import { z } from 'zod'

const outcomes = {
  calls: z.int(),
  completed: z.int(),
  failed: z.int(),
  denied: z.int(),
  cancelled: z.int(),
}

/** Figures of one day, tool, agent or principal. */
export const usageRow = z
  .object({
    subject: z.string().meta({ description: 'The day, tool, agent or principal' }),
    name: z.string().optional(),
    ...outcomes,
    runMs: z.int(),
    outputBytes: z.int(),
    cost: z.number(),
  })
  .meta({ id: 'UsageRow' })

/** How one tool was used over some days. */
export const toolUsage = z
  .object({
    tool: z.string(),
    ...outcomes,
    p95Ms: z.int().optional().meta({
      description: '95th percentile of the run time, to within a fifth',
    }),
    days: z.array(z.int()).readonly().meta({ description: 'Calls of each day, oldest first' }),
  })
  .meta({ id: 'ToolUsage' })

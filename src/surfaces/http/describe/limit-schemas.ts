import { z } from '@hono/zod-openapi'
import { limitSubjects, type LimitSpec, type LimitWithUse } from '../../../core/limits/limit.ts'
import { shortText } from '../request/query-fields.ts'
import { principal, time } from './schemas.ts'

const whole = (description: string) => z.int().min(0).openapi({ description })
const units = (description: string) => z.number().min(0).openapi({ description })

const specFields = {
  of: z.enum(limitSubjects).openapi({
    description: 'Whose calls are counted: each tenant, agent, key, member or tool by itself',
  }),
  match: shortText(
    'Which of them: an id, a name or a pattern with `*`; all when left out',
  ).optional(),
  tools: z
    .array(shortText('A tool’s name, or a pattern: `mail.*`, `group:web`, `pack:file`'))
    .min(1)
    .max(1000)
    .optional()
    .openapi({ description: 'Count calls of these tools alone, together' }),
  callsPerMinute: whole('Never more in any sixty seconds').optional(),
  concurrent: whole('Calls that run at once').optional(),
  outputBytesPerDay: whole('Bytes of output in a day (UTC)').optional(),
  costPerDay: units('Cost units in a day (UTC)').optional(),
  costPerMonth: units('Cost units in a month (UTC)').optional(),
}

/** What a limit is made from. */
export const limitSpec: z.ZodType<LimitSpec> = z.strictObject(specFields).openapi('LimitSpec', {
  description: 'At least one number; 0 allows nothing.',
})

const { of: _of, match: _match, tools: _tools, ...measures } = specFields

/** A limit with who uses it. */
export const limitWithUse: z.ZodType<LimitWithUse> = z
  .object({
    name: z.string(),
    ...specFields,
    isGlobal: z.boolean().openapi({ description: 'Configuration sets it for every tenant' }),
    isDeclared: z.boolean().openapi({ description: 'Configuration declares it' }),
    updatedAt: time.optional(),
    updatedBy: principal.optional(),
    closed: z.string().optional().openapi({ description: 'Why it lets nothing through' }),
    use: z
      .array(z.object({ subject: z.string(), used: z.object(measures) }))
      .openapi({ description: 'How much is used by whom, the most first' }),
    next: z.string().optional().openapi({ description: 'Pass as `after` for those who follow' }),
  })
  .openapi('Limit')

import { z } from 'zod'
import {
  budgetMeasures,
  limitMeasures,
  limitSubjects,
  type LimitMeasure,
  type LimitSpec,
} from '../../core/limits/limit.ts'
import { patternWarnings, principal, shortText, time } from '../../core/operations/fields.ts'
import { maxShortChars } from '../../core/kernel/text/short-text.ts'

const whole = (description: string) => z.int().min(0).meta({ description })
const units = (description: string) => z.number().min(0).meta({ description })

const measures = {
  callsPerMinute: whole('Calls in any 60 seconds').optional(),
  concurrent: whole('Calls that run at once').optional(),
  outputBytesPerDay: whole('Bytes of output in a day (UTC)').optional(),
  costPerDay: units('Cost units in a day (UTC), as tools report them').optional(),
  costPerMonth: units('Cost units in a month (UTC), as tools report them').optional(),
}

const fields = {
  of: z.enum(limitSubjects).meta({
    description:
      'The subjects whose calls are counted: each tenant, agent, key, member or tool separately',
  }),
  match: z
    .string()
    .min(1)
    .max(maxShortChars)
    .refine((text) => /^[^\s\p{Cc}\p{Cs}]+$/u.test(text), {
      error: 'must be an id, a name, or a pattern with *',
    })
    .optional()
    .meta({ description: 'Which of them: an id, a name or a pattern with `*`; all if omitted' }),
  tools: z
    .array(shortText('The name of a tool, or a pattern: `mail.*`, `group:web`, `pack:file`'))
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'Count only calls of these tools, together' }),
  ...measures,
}

/** A limit as it is written and stored. */
export const limitSpec = z
  .strictObject(fields)
  .superRefine(checkSense)
  .meta({ id: 'LimitSpec', description: 'At least one number; 0 allows nothing.' })
export type LimitRequest = z.output<typeof limitSpec>

const limitName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,62}$/,
    'must be lower case letters, digits and dashes, starting with a letter',
  )
  .meta({ description: 'The name that messages and the console use' })

/** A limit as configuration declares it. */
export const namedLimit = z.strictObject({ name: limitName, ...fields }).superRefine(checkSense)
export type NamedLimit = z.output<typeof namedLimit>

/** True if a limit may have this name. */
export function isLimitName(text: string): boolean {
  return limitName.safeParse(text).success
}

const limitUse = z.object({ subject: z.string(), used: z.object(measures) })
/** The usage of one subject, for each measure that the limit sets. */
export type LimitUse = z.output<typeof limitUse>

/** A limit as the doors show it, with its heaviest users. */
export const limit = z
  .object({
    name: z.string(),
    ...fields,
    isGlobal: z.boolean().meta({ description: 'The configuration sets it for every tenant' }),
    isDeclared: z.boolean().meta({ description: 'The configuration declares it' }),
    updatedAt: time.optional(),
    updatedBy: principal.optional(),
    closed: z.string().optional().meta({
      description: 'Why it refuses everything: its stored form cannot be read',
    }),
    use: z.array(limitUse).meta({ description: 'Usage by subject, the heaviest users first' }),
    next: z
      .string()
      .optional()
      .meta({ description: 'Pass as `after` to get the rest of `use`, on the limit itself' }),
    warnings: patternWarnings,
  })
  .meta({ id: 'Limit' })
export type Limit = z.output<typeof limit>

const mostOf: Readonly<Record<LimitMeasure, number>> = {
  callsPerMinute: 1_000_000,
  concurrent: 100_000,
  outputBytesPerDay: Number.MAX_SAFE_INTEGER,
  costPerDay: 1e15,
  costPerMonth: 1e15,
}

function checkSense(spec: LimitSpec, context: z.RefinementCtx): void {
  const issue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message })
  if (limitMeasures.every((measure) => spec[measure] === undefined)) {
    issue('', `sets no limit; give one of ${limitMeasures.join(', ')}`)
  }
  for (const measure of limitMeasures) {
    if ((spec[measure] ?? 0) > mostOf[measure]) issue(measure, `must be at most ${mostOf[measure]}`)
  }
  // Usage is counted by tool and by caller, but not by both together.
  const hasBudget = budgetMeasures.some((measure) => spec[measure] !== undefined)
  if (hasBudget && spec.tools !== undefined && spec.of !== 'tool') {
    issue('tools', 'cannot restrict a budget of callers; omit it, or set of: tool')
  }
}

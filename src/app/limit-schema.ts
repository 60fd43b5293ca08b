import { z } from 'zod'
import {
  budgetMeasures,
  limitMeasures,
  limitSubjects,
  type LimitSpec,
} from '../core/limits/limit.ts'

/** Names of limits, and of what else operators name. */
const name = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,62}$/,
    'must be lower case letters, digits and dashes, starting with a letter',
  )

const fields = {
  of: z.enum(limitSubjects).describe('Whose calls are counted: each of them by itself'),
  match: z
    .string()
    .regex(/^[^\s\p{Cc}\p{Cs}]{1,200}$/u, 'must be an id, a name, or a pattern with *')
    .optional()
    .describe('Which of them: an id, a name or a pattern; all unless set'),
  tools: z
    .array(z.string().max(200))
    .min(1)
    .max(1000)
    .optional()
    .describe('Count calls of these tools alone, together'),
  callsPerMinute: z.int().min(0).max(1_000_000).optional().describe('Calls in any one minute'),
  concurrent: z.int().min(0).max(100_000).optional().describe('Calls that run at once'),
  outputBytesPerDay: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Bytes of output in a day'),
  costPerDay: z.number().min(0).max(1e15).optional().describe('Units, as tools report them'),
  costPerMonth: z.number().min(0).max(1e15).optional().describe('The same in a month'),
}

/** A limit as it is written and stored. */
export const limitSchema: z.ZodType<LimitSpec> = z.strictObject(fields).superRefine(checkSense)

/** A limit as configuration declares it. */
export const namedLimitSchema = z
  .strictObject({ name: name.describe('What messages and the console call it'), ...fields })
  .superRefine(checkSense)

export type NamedLimit = z.output<typeof namedLimitSchema>

/** True for what a limit may be called. */
export function isLimitName(text: string): boolean {
  return name.safeParse(text).success
}

function checkSense(spec: LimitSpec, context: z.RefinementCtx): void {
  const issue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message })
  if (limitMeasures.every((measure) => spec[measure] === undefined)) {
    issue('', `sets no limit; give one of ${limitMeasures.join(', ')}`)
  }
  // Figures are kept by tool and by caller, not by both.
  const hasBudget = budgetMeasures.some((measure) => spec[measure] !== undefined)
  if (hasBudget && spec.tools !== undefined && spec.of !== 'tool') {
    issue('tools', 'can not narrow a budget of callers; leave it out, or make the limit of: tool')
  }
}

import { z } from 'zod'
import { checkJson } from '../kernel/json/check-json.ts'
import type { JsonValue } from '../kernel/json.ts'
import { isToolName } from '../kernel/names.ts'
import { type Condition, conditionSchema } from '../shapes/condition.ts'

/** After a failed step the composition fails, continues, or continues with this output. */
export type StepErrorRule = 'fail' | 'continue' | { output: JsonValue }

/** One step: a call of a tool. */
export interface CompositionStep {
  id: string
  tool: string
  /** Texts may hold references. Default: `{}`. */
  input?: { [key: string]: JsonValue } | undefined
  /** If it does not hold, the step is skipped and its output is null. */
  when?: Condition | undefined
  /** A list, or a reference to one: the step runs for every item. */
  each?: string | JsonValue[] | undefined
  /** How many items run at once. Default: `stepDefaults.atOnce`. */
  atOnce?: number | undefined
  /** Runs again until the condition holds, which may name `output`, or `max` times. */
  repeat?: { until: Condition; max: number } | undefined
  /** Steps that must end first. Default: the step before it in the list. `[]`: none. */
  after?: string[] | undefined
  retry?: { times: number; delayMs?: number | undefined } | undefined
  timeoutMs?: number | undefined
  /** Default: `fail`. */
  onError?: StepErrorRule | undefined
  /** `latest`, or the version of the tool that it needs. Default: `latest`. */
  version?: string | undefined
}

/** A tool as steps, in order or as a graph. Plain data. */
export interface CompositionSpec {
  kind: 'composition'
  steps: CompositionStep[]
  /** Default: the output of the last step. Texts may hold references. */
  output?: JsonValue | undefined
  /** How long a call may take as a whole, waiting included. Default: no limit. */
  deadlineMs?: number | undefined
}

/** The values of fields that a step omits. */
export const stepDefaults = { atOnce: 4, onError: 'fail', version: 'latest' } as const

/** Limits of a composition. */
export const compositionBounds = {
  maxSteps: 200,
  maxAtOnce: 32,
  maxRepeats: 1000,
  maxSpecBytes: 262_144,
  maxNestedCalls: 10_000,
} as const

/** A letter, then letters, digits, `_` and `-`, so that `steps.<id>` is a path. */
export const stepIdPattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

const dayMs = 86_400_000

const json = z.custom<JsonValue>((value) => value !== undefined && checkJson(value) === undefined, {
  error: 'must be plain JSON: no functions, dates, cycles or undefined',
})
const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => checkJson(value) === undefined, {
    error: 'must be a plain JSON object',
  }) as unknown as z.ZodType<{ [key: string]: JsonValue }>
const stepId = z.string().regex(stepIdPattern, {
  error: 'must start with a letter and have letters, digits, _ and - only, at most 64 characters',
})

const step = z.strictObject({
  id: stepId,
  tool: z.string().refine(isToolName, { error: 'must be the name of a tool, like billing.find' }),
  input: jsonObject.optional(),
  when: conditionSchema.optional(),
  each: z
    .union([z.string(), z.array(json)], { error: 'must be a list, or a reference to one' })
    .optional(),
  atOnce: z.int().min(1).max(compositionBounds.maxAtOnce).optional(),
  repeat: z
    .strictObject({
      until: conditionSchema,
      max: z.int().min(1).max(compositionBounds.maxRepeats),
    })
    .optional(),
  after: z.array(stepId).max(compositionBounds.maxSteps).optional(),
  retry: z
    .strictObject({
      times: z.int().min(0).max(10),
      delayMs: z.int().min(0).max(dayMs).optional(),
    })
    .optional(),
  timeoutMs: z.int().min(1).max(dayMs).optional(),
  onError: z
    .union([z.enum(['fail', 'continue']), z.strictObject({ output: json })], {
      error: 'must be fail, continue, or { output }',
    })
    .optional(),
  version: z
    .string()
    .refine((version) => version === stepDefaults.version || /^[0-9a-f]{12}$/.test(version), {
      error: 'must be latest, or a version of 12 hex digits',
    })
    .optional(),
})

/** The shape of a composition. `checkComposition` checks its references. */
export const compositionSpec: z.ZodType<CompositionSpec> = z.strictObject({
  kind: z.literal('composition'),
  steps: z.array(step).min(1).max(compositionBounds.maxSteps),
  output: json.optional(),
  deadlineMs: z
    .int()
    .min(1)
    .max(366 * dayMs)
    .optional(),
})

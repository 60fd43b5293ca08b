import { z } from 'zod'
import { checkJson } from '../kernel/json/check-json.ts'
import type { JsonValue } from '../kernel/json.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { isToolName } from '../kernel/names.ts'
import { conditionSchema } from '../shapes/condition.ts'

/** Described as any value: the schema of JSON is recursive, and would never end as a description. */
const json = z.unknown().refine((value) => value !== undefined && checkJson(value) === undefined, {
  error: 'must be plain JSON: no functions, dates, cycles or undefined',
}) as z.ZodType<JsonValue>

const toolName = z
  .string()
  .max(200)
  .refine(isToolName, { error: 'must be the name of a tool, like billing.find' })

const answer = json.superRefine((value, context) => {
  if (!isConditionLike(value)) return
  for (const { path, message } of conditionSchema.safeParse(value).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path, message })
  }
})

/** True for a condition; any other value is a pattern. */
export function isConditionLike(value: JsonValue): boolean {
  if (!isRecord(value)) return false
  if (Object.hasOwn(value, 'field')) return Object.hasOwn(value, 'operator')
  const keys = Object.keys(value)
  return keys.length === 1 && ['all', 'any', 'not'].includes(keys[0] ?? '')
}

const expectation = z.strictObject({
  calls: z
    .array(
      z.strictObject({
        tool: toolName.describe('The tool'),
        input: json
          .optional()
          .describe('A pattern for its input: only the listed keys are compared'),
      }),
    )
    .max(50)
    .optional()
    .describe('Calls that should be made, in any order'),
  not: z.array(toolName).max(50).optional().describe('Tools that should not be called'),
  maxCalls: z.int().min(0).max(1000).optional().describe('The most calls that may be made'),
  answer: answer
    .optional()
    .describe('A condition on answer and calls, or a pattern for the answer'),
})

/** The evals in the definition of a tool or an agent. */
export const toolEvals = z
  .array(
    z.strictObject({
      label: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('A title; the request unless set'),
      say: z.string().trim().min(1).max(10_000).describe('The request, as a person writes it'),
      as: z
        .string()
        .regex(/^[a-z][a-z0-9_-]{0,62}$/, { error: 'must be the slug of an agent' })
        .optional()
        .describe('The agent that gets it'),
      expect: expectation.describe('The expected choice of tools'),
      given: z
        .record(toolName, json)
        .optional()
        .describe('Outputs of tools, by name: they are not called'),
    }),
  )
  .max(200)

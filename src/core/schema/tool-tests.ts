import { z } from 'zod'
import { type ErrorCode, errorCodes } from '../kernel/errors.ts'
import { checkJson } from '../kernel/json/check-json.ts'
import type { JsonValue } from '../kernel/json.ts'
import { isToolName } from '../kernel/names.ts'
import { type Condition, conditionSchema } from '../shapes/condition.ts'

const json = z.custom<JsonValue>((value) => value !== undefined && checkJson(value) === undefined, {
  error: 'must be plain JSON: no functions, dates, cycles or undefined',
})

/** The schema checks any value; authors are shown what it takes. */
const condition = conditionSchema as z.ZodType<Condition, Condition>

/** The tests in the definition of a tool. */
export const toolTests = z
  .array(
    z.strictObject({
      label: z.string().trim().min(1).max(200),
      input: json,
      expect: z.strictObject({
        status: z.enum(['completed', 'failed', 'denied']).optional(),
        output: json.optional(),
        error: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]).optional(),
        where: z.array(condition).max(50).optional(),
      }),
      given: z
        .record(
          z.string().refine(isToolName, { error: 'must be the name of a tool, like billing.find' }),
          json,
        )
        .optional(),
    }),
  )
  .max(200)

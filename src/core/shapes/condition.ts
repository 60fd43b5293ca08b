import { z } from 'zod'
import { checkJson } from '../kernel/json/check-json.ts'
import type { JsonValue } from '../kernel/json.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { parsePath } from './reference.ts'

/**
 * How a field is compared.
 *
 * - `eq`, `neq`: any JSON value; a missing field equals null.
 * - `gt`, `lt`, `gte`, `lte`: two numbers, or two texts by code point; anything else is false. Dates
 *   are texts, so they are in order if they are written alike.
 * - `in`: the value is a list that has an equal item.
 * - `contains`: the field is a list that has an equal item, or a text that has this text in it.
 * - `exists`: the field is there, null included; with `value: false`, it is missing.
 *
 * A text with U+0000 or half of a surrogate pair, which no jsonb can hold, only equals itself.
 */
export const conditionOperators = [
  'eq',
  'neq',
  'gt',
  'lt',
  'gte',
  'lte',
  'in',
  'contains',
  'exists',
] as const

export type ConditionOperator = (typeof conditionOperators)[number]

/** One comparison. `field` is a path such as `steps.risk.output.score`. */
export interface Comparison {
  field: string
  operator: ConditionOperator
  value?: JsonValue | undefined
}

/** A comparison, or several joined. An empty `all` is true, an empty `any` false. */
export type Condition =
  | Comparison
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }

/** Enough for any rule that a person reads, and far below what would overflow the stack. */
const conditionBounds = { depth: 8, comparisons: 200 } as const

const json = z.custom<JsonValue>((value) => checkJson(value) === undefined, {
  error: 'must be plain JSON',
})

const comparison = z
  .strictObject({
    field: z
      .string()
      .max(500)
      .refine((text) => parsePath(text) !== undefined, {
        error: 'must be a path such as steps.find.output.total, without braces',
      }),
    operator: z.enum(conditionOperators),
    value: json.optional(),
  })
  .superRefine(({ operator, value }, context) => {
    const message = findValueIssue(operator, value)
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['value'], message })
  })

const anyCondition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    comparison,
    z.strictObject({ all: z.array(anyCondition) }),
    z.strictObject({ any: z.array(anyCondition) }),
    z.strictObject({ not: anyCondition }),
  ]),
)

/** A condition, bounded before it is read: its schema calls itself for every level. */
export const conditionSchema: z.ZodType<Condition> = z
  .unknown()
  .refine(isWithinBounds, {
    error: `must have at most ${conditionBounds.depth} levels and ${conditionBounds.comparisons} parts`,
    abort: true,
  })
  .pipe(anyCondition)

/** A text may be a reference that is filled in later. */
function findValueIssue(
  operator: ConditionOperator,
  value: JsonValue | undefined,
): string | undefined {
  if (operator === 'exists') {
    return value === undefined || typeof value === 'boolean' ? undefined : 'must be true or false'
  }
  if (value === undefined) return `is missing; ${operator} compares with a value`
  const isOpen = typeof value === 'string' && value.includes('{{')
  return operator === 'in' && !Array.isArray(value) && !isOpen ? 'must be a list' : undefined
}

function isWithinBounds(condition: unknown): boolean {
  let left: number = conditionBounds.comparisons
  const isWithin = (value: unknown, depth: number): boolean => {
    if (!isRecord(value)) return true
    left -= 1
    if (depth <= 0 || left < 0) return false
    const inner = [value['all'], value['any'], value['not']].flat()
    return inner.every((one) => isWithin(one, depth - 1))
  }
  return isWithin(condition, conditionBounds.depth)
}

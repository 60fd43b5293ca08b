import { typeOfSchema } from './kinds.ts'
import { numberOf } from './schema.ts'
import type { SchemaObject } from './schema.ts'

const mostSteps = 7

/** The whole numbers of a small range, such as 1 to 5; undefined where there are more. */
export function stepsOf(schema: SchemaObject): number[] | undefined {
  const min = numberOf(schema['minimum'])
  const max = numberOf(schema['maximum'])
  const step = numberOf(schema['multipleOf']) ?? 1
  if (typeOfSchema(schema) !== 'integer' || min === undefined || max === undefined) return undefined
  if (!Number.isInteger(step) || step < 1) return undefined
  const first = Math.ceil(min / step) * step
  const count = Math.floor((max - first) / step) + 1
  if (count < 2 || count > mostSteps) return undefined
  return Array.from({ length: count }, (_, index) => first + index * step)
}

/** Whether a number is picked from its few values, side by side. */
export function isStepped(schema: SchemaObject, widget: string | undefined): boolean {
  return widget === undefined && stepsOf(schema) !== undefined
}

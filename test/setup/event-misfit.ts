import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { NewEvent } from '../../src/core/events/event.ts'
import { eventDefinitions } from '../../src/features/declarations.ts'

const schemas = new Map<string, z.ZodType>()

/** How an event differs from the schema of its type: a wrong value, or a field that is not described. */
export function misfitOf({ type, data }: NewEvent): string | undefined {
  const schema = schemas.get(type) ?? eventDefinitions[type].data()
  schemas.set(type, schema)
  const written: unknown = JSON.parse(JSON.stringify(data))
  const parsed = schema.safeParse(written)
  if (!parsed.success) return `${type} ${JSON.stringify(data)}: ${parsed.error.message}`
  if (isDeepStrictEqual(parsed.data, written)) return undefined
  return `${type} ${JSON.stringify(data)} has fields that its schema does not describe`
}

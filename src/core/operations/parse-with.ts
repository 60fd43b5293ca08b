import { z } from 'zod'
import { ToolError } from '../kernel/errors.ts'
import { readWith } from '../schema/read-with.ts'

/** Parses a value with a schema; a mismatch is an `invalid_request` with its place. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = readWith(schema, value)
  if (result.ok) return result.value
  const { issues } = result
  const first = issues[0]
  const detail =
    first === undefined ? '' : `: ${first.path === '' ? '' : `${first.path} `}${first.message}`
  throw new ToolError('invalid_request', `The ${what} does not match the schema${detail}`, {
    issues,
    fix: knownFields(schema),
  })
}

/** Most mistakes are misspelt names: list the valid ones. */
function knownFields(schema: z.ZodType): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined
  return `Known fields: ${Object.keys(schema.shape).join(', ')}.`
}

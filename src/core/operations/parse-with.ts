import { z } from 'zod'
import { ToolError } from '../kernel/errors.ts'
import { readWith } from '../schema/read-with.ts'

/** Reads a value by a schema; what does not fit is an `invalid_request` that says where. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = readWith(schema, value)
  if (result.ok) return result.value
  const { issues } = result
  const first = issues[0]
  const detail =
    first === undefined ? '' : `: ${first.path === '' ? '' : `${first.path} `}${first.message}`
  throw new ToolError('invalid_request', `The ${what} does not fit${detail}`, {
    issues,
    fix: knownFields(schema),
  })
}

/** Most mistakes are a name that is nearly right: list the names there are. */
function knownFields(schema: z.ZodType): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined
  return `Known here: ${Object.keys(schema.shape).join(', ')}.`
}

import { z } from '@hono/zod-openapi'
import { ToolError } from '../../../core/errors.ts'
import { readWith } from '../../../core/schema/read-with.ts'

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

/** Most mistakes are a name that is nearly right: say which there are. */
function knownFields(schema: z.ZodType): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined
  return `Known here: ${Object.keys(schema.shape).join(', ')}.`
}

/** The parameters after the question mark as an object: one value each, a list when repeated. */
export function toQueryObject(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?')
  const query: Record<string, string | string[]> = Object.create(null)
  if (start === -1) return query
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    const earlier = query[name]
    if (earlier === undefined) query[name] = value
    else query[name] = [earlier, value].flat()
  }
  return query
}

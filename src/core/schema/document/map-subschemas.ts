import type { JsonSchema } from '../../kernel/tool.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { subschemaKeywords } from './keywords.ts'

/** A copy of a schema with every schema directly inside it replaced. Booleans are unchanged. */
export function mapSubschemas(
  schema: JsonSchema,
  replace: (inner: JsonSchema) => JsonSchema,
): JsonSchema {
  const change = (value: unknown) => (isRecord(value) ? replace(value) : value)
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const kind = subschemaKeywords.get(keyword)
    if (kind === 'one') return [keyword, change(value)]
    if (kind === 'list' && Array.isArray(value)) return [keyword, value.map(change)]
    if (kind === 'map' && isRecord(value)) {
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)])),
      ]
    }
    return [keyword, value]
  })
  return Object.fromEntries(entries) as JsonSchema
}

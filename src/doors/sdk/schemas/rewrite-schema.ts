import type { JsonSchema } from '../../../core/kernel/json.ts'
import { typesOf } from '../../../core/schema/document/keywords.ts'
import { mapSubschemas } from '../../../core/schema/document/map-subschemas.ts'

/** Rewrites every schema of a document, innermost first. */
export function rewriteSchema(
  schema: JsonSchema,
  rewrite: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  return rewrite(mapSubschemas(schema, (inner) => rewriteSchema(inner, rewrite)))
}

/** The same schema without some keywords; itself where it has none of them. */
export function withoutKeywords(schema: JsonSchema, keywords: ReadonlySet<string>): JsonSchema {
  const found = Object.keys(schema).some((keyword) => keywords.has(keyword))
  if (!found) return schema
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.has(keyword)))
}

/** Moves keywords that a grammar can't express into the description, so that the model knows the rules we check. */
export function intoDescription(schema: JsonSchema, keywords: ReadonlySet<string>): JsonSchema {
  const moved = Object.entries(schema).filter(([keyword]) => keywords.has(keyword))
  if (moved.length === 0) return schema
  const said = moved.map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`).join(', ')
  const { description } = schema
  const words = typeof description === 'string' ? `${description} (${said})` : said
  return { ...withoutKeywords(schema, keywords), description: words }
}

const maxDefaultChars = 200

/**
 * Removes keywords that mean nothing to a model. A default moves into the description: a strict model
 * names every key and should know what to send. A long default is dropped, because a cut one would be
 * a different value.
 */
export function withoutSideKeywords(schema: JsonSchema): JsonSchema {
  const kept = withoutKeywords(schema, sideKeywords)
  const { default: value, description } = schema
  const said = value === undefined ? undefined : JSON.stringify(value)
  if (said === undefined || said.length > maxDefaultChars) return kept
  const words = `Default: ${said}`
  const isText = typeof description === 'string' && description !== ''
  return { ...kept, description: isText ? `${description} (${words})` : words }
}

/** Writes `oneOf` as `anyOf`; that exactly one fits is checked here. */
export function oneOfToAnyOf(schema: JsonSchema): JsonSchema {
  const { oneOf, ...rest } = schema
  if (!Array.isArray(oneOf)) return schema
  if (!Array.isArray(rest['anyOf'])) return { ...rest, anyOf: oneOf }
  return schema
}

/** Adds `items` to an array without it: OpenAI and Gemini refuse such an array. */
export function withItems(schema: JsonSchema): JsonSchema {
  const isBare = schema['items'] === undefined && typesOf(schema)?.includes('array') === true
  return isBare ? { ...schema, items: {} } : schema
}

/** Keywords about the document, of no use to a model. */
export const metaKeywords: ReadonlySet<string> = new Set(['$schema', '$id', '$comment'])

/** Keywords about the schema that mean nothing to a model. */
const sideKeywords: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
])

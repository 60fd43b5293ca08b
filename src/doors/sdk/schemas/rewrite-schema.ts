import type { JsonSchema } from '../../../core/json.ts'
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

/** What a grammar can't say is said in words: a rule that only we check should be no surprise. */
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
 * Without the words that mean nothing to a model. A default is said in the description instead: a
 * strict model names every key, and should know what it may send. A long one is left out, because
 * half of it would be another one.
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

/** `oneOf` as `anyOf`: which of them fits is checked here. */
export function oneOfToAnyOf(schema: JsonSchema): JsonSchema {
  const { oneOf, ...rest } = schema
  if (!Array.isArray(oneOf)) return schema
  if (!Array.isArray(rest['anyOf'])) return { ...rest, anyOf: oneOf }
  return schema
}

/** An array says what it holds, and be it anything: OpenAI and Gemini refuse one that does not. */
export function withItems(schema: JsonSchema): JsonSchema {
  const isBare = schema['items'] === undefined && typesOf(schema)?.includes('array') === true
  return isBare ? { ...schema, items: {} } : schema
}

/** What says of the object of all arguments that it is one of several, which most providers refuse. */
export const rootUnions: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'not',
  'if',
  'then',
  'else',
])

/** Words about the document, of no use to a model. */
export const metaKeywords: ReadonlySet<string> = new Set(['$schema', '$id', '$comment'])

/** Rules that no provider shows to its model. */
export const unseenKeywords: ReadonlySet<string> = new Set([
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentRequired',
  'dependentSchemas',
  'minProperties',
  'maxProperties',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'not',
  'if',
  'then',
  'else',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])

/** Words about the schema that mean nothing to a model. */
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

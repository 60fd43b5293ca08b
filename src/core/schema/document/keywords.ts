import type { JsonSchema } from '../../kernel/tool.ts'
import { pointerStep } from '../../kernel/json/json-pointer.ts'
import { isRecord } from '../../kernel/json/json-type.ts'

/** A subschema: an object, or `true` / `false` for everything / nothing. */
export type Subschema = JsonSchema | boolean

/** Keywords whose subschemas apply to the same value as the schema that contains them. */
export const inPlaceKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
])

const one: readonly string[] = [
  'not',
  'if',
  'then',
  'else',
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'items',
  'contains',
  'unevaluatedItems',
]
const list: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const map: readonly string[] = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]

/** How a keyword contains subschemas: one, a list of them, or a map. */
export const subschemaKeywords: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map([
  ...one.map((keyword) => [keyword, 'one'] as const),
  ...list.map((keyword) => [keyword, 'list'] as const),
  ...map.map((keyword) => [keyword, 'map'] as const),
])

/** A schema inside another: its keyword, and its path. */
export interface FoundSubschema {
  schema: unknown
  keyword: string
  path: string
}

/** The schemas directly inside a schema. The values themselves are unchecked. */
export function findSubschemas(schema: JsonSchema, path: string): FoundSubschema[] {
  const found: FoundSubschema[] = []
  for (const keyword of Object.keys(schema)) {
    const kind = subschemaKeywords.get(keyword)
    if (kind === undefined) continue
    const value = schema[keyword]
    const at = pointerStep(path, keyword)
    if (kind === 'one') found.push({ schema: value, keyword, path: at })
    if (kind === 'list' && Array.isArray(value)) {
      value.forEach((item, index) =>
        found.push({ schema: item, keyword, path: pointerStep(at, index) }),
      )
    }
    if (kind === 'map' && isRecord(value)) {
      for (const key of Object.keys(value)) {
        found.push({ schema: value[key], keyword, path: pointerStep(at, key) })
      }
    }
  }
  return found
}

/** A keyword's list of strings; empty when it is absent. */
export function stringsOf(schema: JsonSchema, keyword: string): readonly string[] {
  const value = schema[keyword]
  return Array.isArray(value) ? (value as string[]) : []
}

/** A keyword's list of subschemas; empty when it is absent. */
export function schemasOf(schema: JsonSchema, keyword: string): readonly Subschema[] {
  const value = schema[keyword]
  return Array.isArray(value) ? (value as Subschema[]) : []
}

/** A keyword's map of subschemas, as entries; empty when it is absent. */
export function schemaEntries(schema: JsonSchema, keyword: string): [string, Subschema][] {
  const value = schema[keyword]
  return isRecord(value) ? (Object.entries(value) as [string, Subschema][]) : []
}

/** The types a schema names, as a list. */
export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  const type = schema['type']
  if (typeof type === 'string') return schema['nullable'] === true ? [type, 'null'] : [type]
  return Array.isArray(type) ? (type as string[]) : undefined
}

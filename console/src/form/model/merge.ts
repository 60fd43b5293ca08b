import { isRecord, isSchema, schemaEntries, schemasOf, stringsOf, typesOf } from './schema.ts'
import type { Schema, SchemaObject } from './schema.ts'

type Join = (a: unknown, b: unknown) => unknown

const larger: Join = (a, b) => Math.max(Number(a), Number(b))
const smaller: Join = (a, b) => Math.min(Number(a), Number(b))
const joinMaps: Join = (a, b) => {
  const joined = new Map(schemaEntries(a))
  for (const [key, schema] of schemaEntries(b)) {
    const before = joined.get(key)
    joined.set(key, before === undefined ? schema : both(before, schema))
  }
  return Object.fromEntries(joined)
}
const joinSchemas: Join = (a, b) => (isSchema(a) && isSchema(b) ? both(a, b) : (b ?? a))

const joins: Record<string, Join> = {
  properties: joinMaps,
  patternProperties: joinMaps,
  required: (a, b) => [...new Set([...stringsOf(a), ...stringsOf(b)])],
  type: (a, b) => joinTypes(typesOf({ type: a }), typesOf({ type: b })),
  enum: (a, b) => joinEnums(a, b),
  items: joinSchemas,
  additionalProperties: joinSchemas,
  propertyNames: joinSchemas,
  prefixItems: (a, b) => joinTuples(schemasOf(a), schemasOf(b)),
  allOf: (a, b) => [...schemasOf(a), ...schemasOf(b)],
  not: (a, b) => ({ anyOf: [a, b] }),
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  uniqueItems: (a, b) => a === true || b === true,
}

/** Of these a value must satisfy both, and one keyword holds one only: the other is kept beside it. */
const unmergeable = new Set(['pattern', 'multipleOf', 'contains', 'format'])

/** One schema that requires what both require. Titles, descriptions and defaults are the second's. */
export function mergeSchemas(first: SchemaObject, second: SchemaObject): SchemaObject {
  const merged: SchemaObject = { ...first }
  for (const [keyword, value] of Object.entries(second)) {
    if (value === undefined) continue
    const before = merged[keyword]
    const join = Object.hasOwn(joins, keyword) ? joins[keyword] : undefined
    if (before !== undefined && before !== value && unmergeable.has(keyword)) {
      merged['allOf'] = [...schemasOf(merged['allOf']), { [keyword]: before }]
    }
    merged[keyword] = before === undefined || join === undefined ? value : join(before, value)
  }
  return merged
}

const pairs = new WeakMap<SchemaObject, WeakMap<SchemaObject, SchemaObject>>()

/** `allOf` of two schemas: the same object for the same two, so that what is drawn of it stays itself. */
export function both(first: Schema, second: Schema): Schema {
  if (first === true || first === second) return second
  if (second === true) return first
  if (!isRecord(first) || !isRecord(second)) return false
  let row = pairs.get(first)
  if (row === undefined) pairs.set(first, (row = new WeakMap()))
  let pair = row.get(second)
  if (pair === undefined) row.set(second, (pair = { allOf: [first, second] }))
  return pair
}

function joinTypes(a: readonly string[], b: readonly string[]): string[] {
  const kept = a.filter((type) => b.includes(type) || (type === 'integer' && b.includes('number')))
  const narrowed = b.includes('integer') && a.includes('number') && !a.includes('integer')
  return narrowed ? [...kept, 'integer'] : kept
}

function joinEnums(a: unknown, b: unknown): unknown {
  if (!Array.isArray(a) || !Array.isArray(b)) return b
  const texts = new Set(b.map((value) => JSON.stringify(value)))
  return a.filter((value) => texts.has(JSON.stringify(value)))
}

function joinTuples(a: readonly Schema[], b: readonly Schema[]): Schema[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) =>
    both(a[index] ?? true, b[index] ?? true),
  )
}

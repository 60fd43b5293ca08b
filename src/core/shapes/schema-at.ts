import type { JsonSchema } from '../kernel/json.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { isListIndex } from './resolve-references.ts'

/** The schema at a path; `missing` if the value can't have it, `unknown` if that is left open. */
export type KnownSchema =
  | { kind: 'found'; schema: JsonSchema }
  | { kind: 'missing'; key: string; known: readonly string[] }
  | { kind: 'unknown' }

const unknown: KnownSchema = { kind: 'unknown' }
/** With these, a value may have more than its `properties` name. */
const combining = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'if']

/** Follows a path through plain objects and lists. Parts that a schema leaves open are unknown, not wrong. */
export function schemaAt(schema: JsonSchema | undefined, keys: readonly string[]): KnownSchema {
  let found: unknown = schema
  for (const key of keys) {
    if (!isRecord(found) || combining.some((keyword) => keyword in (found as object)))
      return unknown
    const { properties, additionalProperties: more, items } = found
    if (items !== undefined && isListIndex(key)) {
      found = items
      continue
    }
    if (!isRecord(properties) || more === true || isRecord(more)) return unknown
    if (!Object.hasOwn(properties, key)) {
      return { kind: 'missing', key, known: Object.keys(properties) }
    }
    found = properties[key]
  }
  return isRecord(found) ? { kind: 'found', schema: found } : unknown
}

/** The types a schema names; undefined if it leaves them open. An integer is also a number. */
export function typesOf(schema: JsonSchema): ReadonlySet<string> | undefined {
  const union = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(union)) {
    const all = union.map((one) => (isRecord(one) ? typesOf(one as JsonSchema) : undefined))
    return all.every((one) => one !== undefined)
      ? new Set(all.flatMap((one) => [...(one ?? [])]))
      : undefined
  }
  const types = [schema['type'] ?? []].flat() as unknown[]
  const named = types.filter((type) => typeof type === 'string')
  if (named.length === 0) return undefined
  return new Set(named.flatMap((type) => (type === 'integer' ? ['integer', 'number'] : [type])))
}

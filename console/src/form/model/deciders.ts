import type { FormModel } from './form-model.ts'
import { isRecord, schemaEntries, schemasOf, stringsOf } from './schema.ts'
import type { Schema, SchemaObject } from './schema.ts'

/** By the name of a field that a condition brings: the fields it depends on. Schemas have no word for it. */
const keyword = 'x-decided-by'

export function decidersIn(shape: SchemaObject): ReadonlyMap<string, readonly string[]> {
  const known = shape[keyword]
  return known instanceof Map ? (known as ReadonlyMap<string, readonly string[]>) : none
}

const none: ReadonlyMap<string, readonly string[]> = new Map()

export function withDeciders(
  shape: SchemaObject,
  deciders: ReadonlyMap<string, readonly string[]>,
): SchemaObject {
  return deciders.size === 0 ? shape : { ...shape, [keyword]: deciders }
}

/** Deeper than any honest condition; a reference may lead back to itself. */
const maxDepth = 8

/** The properties that a condition looks at. */
export function lookedAt(model: FormModel, condition: Schema, depth = 0): string[] {
  if (!isRecord(condition) || depth > maxDepth) return []
  const { $ref, not, properties, required, allOf, anyOf, oneOf } = condition
  const target = typeof $ref === 'string' ? model.find($ref) : undefined
  const parts = [target, not, ...[allOf, anyOf, oneOf].flatMap(schemasOf)].filter(isRecord)
  return [
    ...schemaEntries(properties).map(([name]) => name),
    ...stringsOf(required),
    ...parts.flatMap((part) => lookedAt(model, part, depth + 1)),
  ]
}

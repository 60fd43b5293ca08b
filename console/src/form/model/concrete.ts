import { drawnAt } from './drawn.ts'
import type { DrawnPlace } from './drawn.ts'
import type { FormModel } from './form-model.ts'
import { childPointer } from './pointer.ts'
import type { Maybe } from './pointer.ts'
import { isRecord, isSchema, schemaEntries, schemasOf, stringsOf } from './schema.ts'
import type { Schema, SchemaObject } from './schema.ts'

/** Keywords that produce no message, and those that the walk replaces. */
const dropped = new Set([
  'title',
  'description',
  'default',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedItems',
  'items',
  'prefixItems',
  'required',
])

/**
 * The schema that exactly this value must fit: with the chosen option of every choice, the conditions that
 * hold, and a schema for each key and item that is there. This avoids issues about options that were not
 * chosen.
 */
export function concreteSchema(model: FormModel, schema: Schema, place: DrawnPlace): Schema {
  const { value, pointer } = place
  const drawn = drawnAt(model, schema, place)
  if (drawn.isNever) return false
  if (value === null && drawn.isNullable) return true
  const concrete: SchemaObject = {}
  for (const [keyword, given] of Object.entries(drawn.schema)) {
    if (!dropped.has(keyword)) concrete[keyword] = given
  }
  const child = (inner: Schema, key: string | number, held: Maybe) =>
    concreteSchema(model, inner, { ...place, value: held, pointer: childPointer(pointer, key) })
  if (isRecord(value)) {
    concrete['properties'] = Object.fromEntries(
      Object.entries(value).map(([key, held]) => [
        key,
        child(schemaOfKey(drawn.schema, key), key, held as Maybe),
      ]),
    )
    concrete['required'] = mustBeThere(model, drawn.schema, place)
  }
  if (Array.isArray(value)) {
    concrete['prefixItems'] = value.map((held, index) =>
      child(schemaOfItem(drawn.schema, index), index, held),
    )
  }
  return concrete
}

/** The schema of a key, whether it is named, matched by a pattern, or one of the others. */
export function schemaOfKey(schema: SchemaObject, key: string): Schema {
  const properties = schema['properties']
  if (isRecord(properties) && Object.hasOwn(properties, key)) {
    return isSchema(properties[key]) ? properties[key] : true
  }
  for (const [pattern, matched] of schemaEntries(schema['patternProperties'])) {
    if (new RegExp(pattern, 'u').test(key)) return matched
  }
  const others = schema['additionalProperties']
  // The server drops unknown keys, and decides itself whether they are errors.
  return isRecord(others) ? others : true
}

export function schemaOfItem(schema: SchemaObject, index: number): Schema {
  const tuple = schemasOf(schema['prefixItems'])
  const { items } = schema
  return tuple[index] ?? (isSchema(items) ? items : true)
}

/** The server fills in what may be null. */
function mustBeThere(model: FormModel, schema: SchemaObject, place: DrawnPlace): string[] {
  return stringsOf(schema['required']).filter((key) => {
    const { isNullable } = drawnAt(model, schemaOfKey(schema, key), {
      ...place,
      value: undefined,
      pointer: childPointer(place.pointer, key),
    })
    return !isNullable
  })
}

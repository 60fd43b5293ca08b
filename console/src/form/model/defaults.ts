import type { JsonValue } from '../../api/json.ts'
import { drawnAt, noPicks } from './drawn.ts'
import type { Drawn, Picks } from './drawn.ts'
import type { FormModel } from './form-model.ts'
import { typeOfSchema } from './kinds.ts'
import { childPointer } from './pointer.ts'
import type { Maybe } from './pointer.ts'
import {
  isOfType,
  isRecord,
  isSchema,
  numberOf,
  schemaEntries,
  schemasOf,
  stringsOf,
} from './schema.ts'
import type { Schema } from './schema.ts'

interface Filling {
  isRequired: boolean
  pointer?: string
  picks?: Picks
  /** Schemas that are being filled in above: one of them again has no end. */
  above?: readonly Schema[]
  /** Objects and lists that may still be made. */
  effort?: { left: number }
}

/** Deeper than people fill in at once; deeper levels are added on demand. */
const maxDepth = 12
const maxItems = 20
const maxParts = 500

/** The initial value of a place: its default, its required fields, or none. */
export function defaultOf(model: FormModel, schema: Schema, filling: Filling): Maybe {
  const { isRequired, pointer = '', picks = noPicks, above = [] } = filling
  const effort = filling.effort ?? { left: maxParts }
  const drawn = drawnAt(model, schema, { value: undefined, pointer, picks })
  if (above.length > maxDepth || above.includes(schema)) return undefined
  const given = drawn.schema['default']
  const inner = { pointer, picks, effort, above: [...above, schema] }
  if (given !== undefined) return complete(model, drawn, { given: given as JsonValue, ...inner })
  if (!isRequired) return undefined
  if (drawn.isNullable) return null
  return requiredValue(model, drawn, inner)
}

type Inner = Required<Omit<Filling, 'isRequired'>>

function requiredValue(model: FormModel, drawn: Drawn, inner: Inner): Maybe {
  const { schema } = drawn
  const values = schema['enum']
  if ('const' in schema) return structuredClone(schema['const']) as JsonValue
  if (Array.isArray(values)) return values.length === 1 ? (values[0] as JsonValue) : undefined
  switch (typeOfSchema(schema)) {
    case 'boolean':
      return false
    case 'null':
      return null
    case 'object':
      return spend(inner) ? fillObject(model, drawn, { given: {}, ...inner }) : undefined
    case 'array':
      return spend(inner) ? fillList(model, drawn, inner) : []
    default:
      return undefined
  }
}

function spend({ effort }: Inner): boolean {
  effort.left -= 1
  return effort.left >= 0
}

/** A default that leaves out what has a default of its own gets it. */
function complete(model: FormModel, drawn: Drawn, inner: Inner & { given: JsonValue }): JsonValue {
  const { given } = inner
  if (!isRecord(given) || !isRecord(drawn.schema['properties'])) return structuredClone(given)
  return fillObject(model, drawn, inner)
}

/** An object with the defaults of its properties, those it has already left alone. */
export function fillObject(
  model: FormModel,
  { schema }: Drawn,
  { given, ...inner }: Inner & { given: JsonValue },
): JsonValue {
  const filled: { [key: string]: JsonValue } = isRecord(given) ? { ...given } : {}
  const required = new Set(stringsOf(schema['required']))
  for (const [key, property] of schemaEntries(schema['properties'])) {
    if (Object.hasOwn(filled, key)) continue
    const value = defaultOf(model, property, {
      ...inner,
      isRequired: required.has(key),
      pointer: childPointer(inner.pointer, key),
    })
    if (value !== undefined) Object.defineProperty(filled, key, { value, ...plainProperty })
  }
  return filled
}

/** A key may have any name, `__proto__` too. */
const plainProperty = { enumerable: true, configurable: true, writable: true }

function fillList(model: FormModel, { schema }: Drawn, inner: Inner): JsonValue {
  const tuple = schemasOf(schema['prefixItems'])
  const count = Math.max(tuple.length, Math.min(numberOf(schema['minItems']) ?? 0, maxItems))
  const items = isSchema(schema['items']) ? schema['items'] : true
  return Array.from({ length: count }, (_, index) => {
    const pointer = childPointer(inner.pointer, index)
    return defaultOf(model, tuple[index] ?? items, { ...inner, pointer, isRequired: true }) ?? null
  })
}

/** The value of a new list item, or of "Add": not null, even where null is allowed. */
export function newValue(model: FormModel, schema: Schema, pointer: string): JsonValue {
  const drawn = drawnAt(model, schema, { value: undefined, pointer, picks: noPicks })
  const inner = beginning(pointer, noPicks)
  const given = drawn.schema['default'] as Maybe
  if (given !== undefined && given !== null) return complete(model, drawn, { given, ...inner })
  return requiredValue(model, drawn, inner) ?? null
}

/** The value after another option was picked: what both have in common stays. */
export function switchOption(
  model: FormModel,
  schema: Schema,
  { before, pointer, picks }: { before: Maybe; pointer: string; picks: Picks },
): Maybe {
  const place = { value: undefined, pointer, picks }
  const drawn = drawnAt(model, schema, place)
  const fresh = requiredValue(model, drawn, beginning(pointer, picks))
  const given = drawn.schema['default'] as Maybe
  if (!isRecord(fresh) || !isRecord(before)) {
    return isKept(drawn, before) ? before : (given ?? fresh)
  }
  const kept: { [key: string]: JsonValue } = { ...fresh }
  for (const [key, property] of schemaEntries(drawn.schema['properties'])) {
    const old = before[key]
    const child = drawnAt(model, property, { ...place, value: old })
    if (old !== undefined && isKept(child, old)) kept[key] = old
  }
  return kept
}

export function beginning(pointer: string, picks: Picks): Inner {
  return { pointer, picks, above: [], effort: { left: maxParts } }
}

/** A value that can stay where it is, under another option. */
function isKept({ schema }: Drawn, value: Maybe): boolean {
  if (value === undefined || value === null || 'const' in schema || 'enum' in schema) return false
  const type = typeOfSchema(schema)
  return type !== undefined && isOfType(value, [type])
}

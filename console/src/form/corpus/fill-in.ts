import type { JsonValue } from '../../api/json.ts'
import { schemaOfItem, schemaOfKey } from '../model/concrete.ts'
import { defaultOf } from '../model/defaults.ts'
import { drawnAt, noPicks } from '../model/drawn.ts'
import type { FormModel } from '../model/form-model.ts'
import { typeOfSchema } from '../model/kinds.ts'
import { childPointer } from '../model/pointer.ts'
import type { Maybe } from '../model/pointer.ts'
import { isRecord, numberOf, stringsOf } from '../model/schema.ts'
import type { Schema, SchemaObject } from '../model/schema.ts'

/** A filled-in form: its defaults, and something in every required field. */
export function fillIn(model: FormModel): JsonValue {
  const begun = defaultOf(model, model.root, { isRequired: true })
  // Twice: what was filled in may have brought up more.
  const first = complete(model, model.root, { value: begun, pointer: '' })
  return complete(model, model.root, { value: first, pointer: '' }) ?? {}
}

function complete(
  model: FormModel,
  schema: Schema,
  { value, pointer }: { value: Maybe; pointer: string },
): Maybe {
  const drawn = drawnAt(model, schema, { value, pointer, picks: noPicks })
  if (value === null && drawn.isNullable) return null
  if (isRecord(value) && isRecord(drawn.schema['properties'])) {
    const asked = stringsOf(drawn.schema['required'])
    const filled: { [key: string]: JsonValue } = { ...value }
    for (const key of new Set([...Object.keys(value), ...asked])) {
      const place = { value: value[key], pointer: childPointer(pointer, key) }
      const next = complete(model, schemaOfKey(drawn.schema, key), place)
      if (next !== undefined) filled[key] = next
    }
    return filled
  }
  if (Array.isArray(value)) {
    return value.map((held, index) => {
      const place = { value: held, pointer: childPointer(pointer, index) }
      return complete(model, schemaOfItem(drawn.schema, index), place) ?? null
    })
  }
  return value ?? sample(model, drawn.schema)
}

const byFormat: Record<string, string> = {
  date: '2026-11-15',
  'date-time': '2026-11-15T10:30:00Z',
  time: '10:30:00Z',
  email: 'ada@example.org',
  uri: 'https://example.org',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
}

function sample(_: FormModel, schema: SchemaObject): Maybe {
  const values = schema['enum']
  if (Array.isArray(values)) return values[0] as JsonValue
  switch (typeOfSchema(schema)) {
    case 'string':
      return (
        byFormat[String(schema['format'])] ?? 'text'.padEnd(numberOf(schema['minLength']) ?? 0, 'x')
      )
    case 'number':
    case 'integer': {
      const above = numberOf(schema['exclusiveMinimum'])
      const step = numberOf(schema['multipleOf']) ?? 1
      return numberOf(schema['minimum']) ?? (above === undefined ? step : above + step)
    }
    case 'object':
      return {}
    case 'array':
      return []
    default:
      return 'anything'
  }
}

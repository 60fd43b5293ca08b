import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'

const order = /JSON Schema:\n(\{.*\})\s*$/s

/** Where the instructions ask for JSON of a schema: an example of it, so that it can be tried. */
export function answerAsObject(instructions: string): string | undefined {
  const json = order.exec(instructions)?.[1]
  if (json === undefined) return undefined
  try {
    return JSON.stringify(toExample(JSON.parse(json), 0))
  } catch {
    return undefined
  }
}

const deepest = 8
const text = 'demo'

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'demo@example.com',
  uri: 'https://example.com',
}

function toExample(schema: unknown, depth: number): JsonValue {
  if (!isRecord(schema) || depth > deepest) return null
  if ('const' in schema) return schema['const'] as JsonValue
  const choices = [schema['enum'], schema['anyOf'], schema['oneOf']].find(Array.isArray)
  if (choices !== undefined) {
    const [first] = choices as unknown[]
    return choices === schema['enum'] ? (first as JsonValue) : toExample(first, depth + 1)
  }
  const { type } = schema
  const [kind] = Array.isArray(type) ? (type as unknown[]) : [type]
  return toValue(kind, schema, depth)
}

function toValue(type: unknown, schema: Record<string, unknown>, depth: number): JsonValue {
  switch (type) {
    case 'object':
      return toObject(schema, depth)
    case 'array':
      return Array.from({ length: Math.max(1, numberOf(schema['minItems'], 1)) }, () =>
        toExample(schema['items'], depth + 1),
      )
    case 'number':
    case 'integer':
      return Math.ceil(numberOf(schema['minimum'], 0))
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return formats[String(schema['format'])] ?? text.padEnd(numberOf(schema['minLength'], 0), '.')
  }
}

function toObject({ properties }: Record<string, unknown>, depth: number): JsonValue {
  const entries = Object.entries(isRecord(properties) ? properties : {})
  return Object.fromEntries(entries.map(([key, value]) => [key, toExample(value, depth + 1)]))
}

function numberOf(value: unknown, usual: number): number {
  return typeof value === 'number' ? Math.min(value, 1_000_000) : usual
}

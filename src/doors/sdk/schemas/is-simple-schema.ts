import type { JsonSchema } from '../../../core/kernel/json.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'

const simpleTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])
const simpleKeywords: ReadonlySet<string> = new Set([
  'type',
  'description',
  'title',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
])
const maxKeys = 20

/**
 * A closed object of a few named texts, numbers and flags: nothing of it can be lost on any provider.
 * Most tools are like that, and seeing it costs a tenth of the whole check.
 */
export function isSimpleSchema(schema: JsonSchema): boolean {
  const { properties, additionalProperties = false } = schema
  if (schema['type'] !== 'object' || !isRecord(properties) || additionalProperties !== false)
    return false
  const known = Object.keys(schema).every((keyword) => rootKeywords.has(keyword))
  const keys = Object.keys(properties)
  return known && keys.length <= maxKeys && keys.every((key) => isSimpleKey(key, properties[key]))
}

const rootKeywords: ReadonlySet<string> = new Set([
  '$schema',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
])

function isSimpleKey(key: string, schema: unknown): boolean {
  if (!/^[A-Za-z_]\w{0,63}$/.test(key) || !isRecord(schema)) return false
  const { type } = schema
  const isScalar = Array.isArray(type)
    ? type.every((one) => one === 'null' || simpleTypes.has(one)) && !('default' in schema)
    : simpleTypes.has(type)
  return isScalar && Object.keys(schema).every((keyword) => simpleKeywords.has(keyword))
}

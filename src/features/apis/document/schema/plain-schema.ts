import { checkKeyword } from '../../../../core/schema/document/check-keyword.ts'
import { isRecord, jsonTypes } from '../../../../core/kernel/json/json-type.ts'
import type { Json, JsonObject } from '../../model.ts'
import { memberOf } from '../values.ts'

/** Which side of a call a schema describes. */
export type Direction = 'input' | 'output'

/** Keywords without subschemas, kept where their values are valid. */
const kept: Readonly<Record<Direction, readonly string[]>> = {
  input: [
    'const',
    'default',
    'maxItems',
    'maxLength',
    'maxProperties',
    'minItems',
    'minLength',
    'minProperties',
    'multipleOf',
    'pattern',
    'uniqueItems',
  ],
  // Servers add values and bend their own limits: a description of what comes must not refuse it.
  output: [],
}

/** Formats that validators, forms and models know. Others only say how a server stores a number. */
const knownFormats = new Set([
  'date',
  'date-time',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'url',
  'uuid',
])

/** The keywords of one schema that hold no schemas themselves, as JSON Schema 2020-12 has them. */
export function toPlainKeywords(schema: JsonObject, direction: Direction): JsonObject {
  const plain: JsonObject = { ...typeOf(schema) }
  for (const keyword of kept[direction]) {
    const value = memberOf(schema, keyword)
    if (value !== undefined && checkKeyword(keyword, value) === undefined) plain[keyword] = value
  }
  if (direction === 'output') return plain
  return { ...plain, ...enumOf(schema), ...boundsOf(schema), ...formatOf(schema) }
}

/** True where null is a value, in the words of each version. */
export function isNullable(schema: JsonObject): boolean {
  const { type } = schema
  return (
    schema['nullable'] === true ||
    schema['x-nullable'] === true ||
    type === 'null' ||
    (Array.isArray(type) && type.includes('null'))
  )
}

function typeOf(schema: JsonObject): JsonObject {
  const given = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
  const known = given.filter((type): type is string => jsonTypes.some((one) => one === type))
  const types: Json[] = known.length > 0 ? known : guessType(schema)
  if (types.length === 0) return {}
  const all = isNullable(schema) && !types.includes('null') ? [...types, 'null'] : types
  return { type: all.length === 1 ? (all[0] ?? 'object') : all }
}

/** Many documents leave the type of an object or a list to be guessed. */
function guessType(schema: JsonObject): Json[] {
  if (schema['type'] === 'file') return ['string']
  if (isRecord(schema['properties'])) return ['object']
  return schema['items'] === undefined ? [] : ['array']
}

function enumOf(schema: JsonObject): JsonObject {
  const values = memberOf(schema, 'enum')
  if (!Array.isArray(values) || values.length === 0) return {}
  const needsNull = isNullable(schema) && !values.includes(null)
  return { enum: needsNull ? [...values, null] : values }
}

/** Before 3.1 an exclusive bound was a switch beside the bound. */
function boundsOf(schema: JsonObject): JsonObject {
  const bounds: JsonObject = {}
  for (const [bound, exclusive] of boundPairs) {
    const limit = memberOf(schema, bound)
    const given = memberOf(schema, exclusive)
    if (typeof given === 'number') bounds[exclusive] = given
    if (typeof limit === 'number') bounds[given === true ? exclusive : bound] = limit
  }
  return bounds
}

const boundPairs = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

function formatOf(schema: JsonObject): JsonObject {
  const format = memberOf(schema, 'format')
  const isKnown = typeof format === 'string' && knownFormats.has(format)
  return isKnown ? { format: format === 'url' ? 'uri' : format } : {}
}

/** True for content that is handed over as a file. */
export function isFile(schema: JsonObject): boolean {
  if (schema['type'] === 'file') return true
  if (schema['format'] === 'binary') return true
  const isText = schema['contentEncoding'] !== undefined
  return typeof schema['contentMediaType'] === 'string' && !isText && schema['type'] !== 'object'
}

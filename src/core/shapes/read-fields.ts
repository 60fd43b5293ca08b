import type { JsonSchema, JsonValue } from '../kernel/json.ts'
import type { Field, FieldChoice, FieldShape } from './field.ts'
import { phonePattern, toFieldSchema, toObjectSchema } from './field-schema.ts'

// Also used by the console, so it imports nothing but this folder.

type Known = Exclude<FieldShape, { type: 'json' }>
type Properties = Readonly<Record<string, JsonValue>>

/** An object schema as fields, with everything in it that is not about single fields. */
export interface ObjectFields {
  fields: Field[]
  /** Other properties are allowed. */
  isOpen: boolean
  /** Keywords such as `$defs` and `if`, which stay as they are. */
  rest: JsonSchema
}

/**
 * Reads an object schema as fields. A property without a known type is kept as JSON, so that
 * nothing is lost: `writeFields` gives an equal schema back. Undefined if it is not an object schema.
 */
export function readFields(schema: unknown): ObjectFields | undefined {
  if (!isRecord(schema) || schema['type'] !== 'object') return undefined
  const { type: _type, properties = {}, required = [], additionalProperties, ...rest } = schema
  if (!isRecord(properties) || !isTexts(required)) return undefined
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean') {
    return undefined
  }
  // A required key without a schema has no field that could mark it as required.
  if (required.some((key) => !Object.hasOwn(properties, key))) return undefined
  const fields = Object.entries(properties).map(([key, property]) => ({
    ...readField(property),
    key,
    isRequired: required.includes(key),
  }))
  return { fields, isOpen: additionalProperties === true, rest }
}

/** The schema of fields that were read from one, perhaps changed since. */
export function writeFields({ fields, isOpen, rest }: ObjectFields): JsonSchema {
  return { ...toObjectSchema(fields, isOpen), ...rest }
}

/** A property as a field: of a known type only if that type covers everything in the schema. */
export function readField(schema: unknown): FieldShape {
  const asJson: FieldShape = { type: 'json', schema: schema as JsonSchema | boolean }
  if (!isRecord(schema)) return asJson
  const { title, description, default: preset, ...rest } = schema
  const plain = withoutNull(rest)
  const shape = readShape(plain ?? rest)
  if (shape === undefined) return asJson
  const field = {
    ...shape,
    ...(typeof title === 'string' && { label: title }),
    ...(typeof description === 'string' && { description }),
    ...(preset !== undefined && { default: preset }),
    ...(plain !== undefined && { nullable: true }),
  }
  return isSame(toFieldSchema(field), schema) ? field : asJson
}

/** The schema without null, if it allows null beside other values. */
function withoutNull(schema: Properties): Properties | undefined {
  const { type, anyOf, enum: values } = schema
  if (Array.isArray(anyOf)) return readBranches(schema, anyOf)
  const hasNull = Array.isArray(values) && values.at(-1) === null
  const isTyped = Array.isArray(type) && type.length === 2 && type[1] === 'null'
  if (!hasNull && !isTyped) return undefined
  return {
    ...schema,
    ...(isTyped && { type: type[0] ?? null }),
    ...(hasNull && { enum: values.slice(0, -1) }),
  }
}

/** One schema, or null. */
function readBranches(schema: Properties, branches: readonly JsonValue[]): Properties | undefined {
  const [one, none, ...more] = branches
  if (more.length > 0 || Object.keys(schema).length > 1 || !isSame(none, { type: 'null' })) {
    return undefined
  }
  return isRecord(one) ? one : undefined
}

function readShape(schema: Properties): Known | undefined {
  if (Array.isArray(schema['enum']) || Array.isArray(schema['oneOf'])) return readChoice(schema)
  switch (schema['type']) {
    case 'string':
      return readText(schema)
    case 'number':
    case 'integer':
      return {
        type: 'number',
        ...(schema['type'] === 'integer' && { isInteger: true }),
        ...numbers(schema, 'minimum', 'maximum'),
      }
    case 'boolean':
      return { type: 'boolean' }
    case 'array':
      return readList(schema)
    case 'object': {
      const read = readFields(schema)
      if (read === undefined) return undefined
      return { type: 'object', fields: read.fields, ...(read.isOpen && { isOpen: true }) }
    }
    default:
      return undefined
  }
}

function readText(schema: Properties): Known {
  if (schema['pattern'] === phonePattern) return { type: 'phone' }
  const { 'x-entity-type': entityType, 'x-entity-select': select } = schema
  if (typeof entityType === 'string') {
    return { type: 'relation', entityType, ...(typeof select === 'string' && { select }) }
  }
  return readFormat(schema)
}

function readFormat(schema: Properties): Known {
  const { format, pattern, contentMediaType: mediaType } = schema
  const limits = numbers(schema, 'minLength', 'maxLength')
  switch (format) {
    case 'uri':
      return { type: 'url', ...limits }
    case 'email':
      return { type: 'email', ...limits }
    case 'date':
      return { type: 'date' }
    case 'date-time':
      return { type: 'date', hasTime: true }
    case 'file':
      return { type: 'media', ...(typeof mediaType === 'string' && { mediaType }) }
    default:
      return {
        type: 'text',
        ...limits,
        ...((format === 'textarea' || format === 'markdown') && { format }),
        ...(typeof pattern === 'string' && { pattern }),
      }
  }
}

function readList(schema: Properties): Known | undefined {
  const { items, uniqueItems } = schema
  if (items === undefined) return undefined
  if (uniqueItems === true) {
    const choice = isRecord(items) ? readChoice(items) : undefined
    return choice?.type === 'enum' ? { ...choice, isMultiple: true } : undefined
  }
  return { type: 'array', item: readField(items), ...numbers(schema, 'minItems', 'maxItems') }
}

function readChoice({ enum: values, oneOf }: Properties): Known | undefined {
  const choices = Array.isArray(values) ? values.map((value) => ({ value })) : readConstants(oneOf)
  if (choices.length === 0 || !choices.every(isChoice)) return undefined
  return { type: 'enum', choices }
}

function readConstants(oneOf: JsonValue | undefined): { value: JsonValue; title?: string }[] {
  if (!Array.isArray(oneOf)) return []
  return oneOf.map((one) => {
    const { const: value = null, title } = isRecord(one) ? one : {}
    return { value, ...(typeof title === 'string' && { title }) }
  })
}

function isChoice(choice: { value: JsonValue; title?: string }): choice is FieldChoice {
  return ['string', 'number', 'boolean'].includes(typeof choice.value)
}

function numbers<Key extends string>(schema: Properties, ...keys: Key[]) {
  const found = keys.flatMap((key) => {
    const value = schema[key]
    return typeof value === 'number' ? [[key, value] as const] : []
  })
  return Object.fromEntries(found) as Partial<Record<Key, number>>
}

function isTexts(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isRecord(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether two schemas mean the same: the order of keys and of required keys does not matter, and
 * unknown keys are dropped with or without `additionalProperties: false`.
 */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(
    ([key, member]) => !(key === 'additionalProperties' && member === false),
  )
  return Object.fromEntries(
    entries
      .toSorted(([a], [b]) => byText(a, b))
      .map(([key, member]) => [
        key,
        key === 'required' && Array.isArray(member) ? [...member].sort(byText) : sorted(member),
      ]),
  )
}

function byText(one: unknown, other: unknown): number {
  return String(one) < String(other) ? -1 : 1
}

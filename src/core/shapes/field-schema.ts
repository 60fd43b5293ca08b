import type { JsonSchema, JsonValue } from '../kernel/json.ts'
import type { Field, FieldChoice, FieldShape } from './field.ts'

// Also used by the console, so it imports types alone.

/** A phone number as E.164 writes it. */
export const phonePattern = String.raw`^\+[1-9]\d{6,14}$`

/** The JSON Schema of an object with these fields. */
export function toObjectSchema(
  fields: readonly Field[],
  isOpen = false,
): JsonSchema & { properties: { [key: string]: JsonSchema | boolean } } {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ key }) => key)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.key, toFieldSchema(field)])),
    ...(required.length > 0 && { required }),
    ...(isOpen && { additionalProperties: true }),
  }
}

/** The JSON Schema of one field. */
export function toFieldSchema(field: FieldShape): JsonSchema | boolean {
  if (field.type === 'json') return field.schema
  const { label, description } = field
  return {
    ...(label !== undefined && { title: label }),
    ...(description !== undefined && { description }),
    ...(field.nullable === true ? orNull(toShape(field)) : toShape(field)),
    ...(field.default !== undefined && { default: field.default }),
  }
}

/** `null` beside the values of a schema, in the form that forms and models read best. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  if (Array.isArray(values)) {
    return {
      ...schema,
      ...(type !== undefined && { type: [type, 'null'] }),
      enum: [...values, null],
    }
  }
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}

type Known = Exclude<FieldShape, { type: 'json' }>

/** One function per type, by its name. */
const shapes: { [Type in Known['type']]: (field: Extract<Known, { type: Type }>) => JsonSchema } = {
  text: (field) => ({ ...toText(field, field.format), ...given('pattern', field.pattern) }),
  url: (field) => toText(field, 'uri'),
  email: (field) => toText(field, 'email'),
  phone: () => ({ type: 'string', pattern: phonePattern }),
  date: ({ hasTime }) => ({ type: 'string', format: hasTime === true ? 'date-time' : 'date' }),
  boolean: () => ({ type: 'boolean' }),
  number: ({ isInteger, minimum, maximum }) => ({
    type: isInteger === true ? 'integer' : 'number',
    ...given('minimum', minimum),
    ...given('maximum', maximum),
  }),
  media: ({ mediaType }) => ({
    type: 'string',
    format: 'file',
    ...given('contentMediaType', mediaType),
  }),
  relation: ({ entityType, select }) => ({
    type: 'string',
    'x-entity-type': entityType,
    ...given('x-entity-select', select),
  }),
  enum: ({ choices, isMultiple }) => toChoice(choices, isMultiple === true),
  object: ({ fields, isOpen }) => toObjectSchema(fields, isOpen === true),
  array: ({ item, minItems, maxItems }) => ({
    type: 'array',
    items: toFieldSchema(item),
    ...given('minItems', minItems),
    ...given('maxItems', maxItems),
  }),
}

function toShape(field: Known): JsonSchema {
  // The table has a function for each type, which the compiler can't follow to its field.
  return (shapes[field.type] as (field: Known) => JsonSchema)(field)
}

function toText(
  limits: { minLength?: number | undefined; maxLength?: number | undefined },
  format: string | undefined,
): JsonSchema {
  return {
    type: 'string',
    ...given('format', format),
    ...given('minLength', limits.minLength),
    ...given('maxLength', limits.maxLength),
  }
}

/** Values with titles are constants, because `enum` has no place for titles. */
function toChoice(choices: readonly FieldChoice[], isMultiple: boolean): JsonSchema {
  const values = choices.map(({ value }) => value)
  const one: JsonSchema = choices.some(({ title }) => title !== undefined)
    ? { oneOf: choices.map(({ value, title }) => ({ const: value, ...given('title', title) })) }
    : { ...given('type', typeOfAll(values)), enum: values }
  return isMultiple ? { type: 'array', items: one, uniqueItems: true } : one
}

function typeOfAll(values: readonly FieldChoice['value'][]): string | undefined {
  const types = new Set(values.map((value) => typeof value))
  return types.size === 1 ? [...types][0] : undefined
}

function given(key: string, value: JsonValue | undefined): { [key: string]: JsonValue } {
  return value === undefined ? {} : { [key]: value }
}

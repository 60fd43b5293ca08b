import type { JsonSchema } from '../../../core/kernel/tool.ts'
import { flagNameOf } from './flag-names.ts'
import {
  fieldsOf,
  isNullable,
  itemOf,
  type SchemaPlace,
  typesOf,
  variantsOf,
} from './input-fields.ts'

/** One field of a schema, for people. */
export interface FlagDescription {
  key: string
  /** Without the dashes. */
  flag: string
  type: string
  isRequired: boolean
  description: string
  /** The default as JSON. */
  defaultText: string | undefined
}

const maxDepth = 3

/** The fields of an object schema; those of nested objects follow theirs, as `parent.child`. */
export function flagsOf(schema: JsonSchema, root = schema, depth = 0): FlagDescription[] {
  const fields = fieldsOf({ schema, root })
  return fields.flatMap((field) => {
    const flag = flagNameOf(field, fields)
    const variants = variantsOf(field)
    const own = {
      key: field.key,
      flag,
      type: describeType(field),
      isRequired: field.isRequired && !Object.hasOwn(field.schema, 'default') && !isNullable(field),
      description: firstText([field.schema, ...variants], 'description') ?? '',
      defaultText: defaultOf([field.schema, ...variants]),
    }
    const inner =
      depth < maxDepth && !typesOf(field).has('array') ? flagsOf(field.schema, root, depth + 1) : []
    const nested = inner.map((one) => ({
      ...one,
      key: `${field.key}.${one.key}`,
      flag: `${flag}.${one.flag}`,
      isRequired: own.isRequired && one.isRequired,
    }))
    return nested.length === 0 ? [own] : nested
  })
}

/** `integer 1…5`, `low | high`, `list of text`. */
export function describeType(place: SchemaPlace): string {
  const choices = variantsOf(place).flatMap(({ enum: list, const: constant }) =>
    Array.isArray(list) ? list : constant === undefined ? [] : [constant],
  )
  if (choices.length > 0)
    return choices.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' | ')
  const types = [...typesOf(place)]
  if (types.length === 0) return 'any'
  return types.map((type) => describeOne(type, place)).join(' or ')
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'yes/no',
  object: 'object',
}

function describeOne(type: string, place: SchemaPlace): string {
  if (type === 'array') {
    const item = itemOf(place, 0)
    return item === undefined ? 'list' : `list of ${describeType(item)}`
  }
  if (type === 'number' || type === 'integer') return `${type}${describeRange(place)}`
  const format = firstText(variantsOf(place), 'format')
  return type === 'string' && format !== undefined ? format : (typeWords[type] ?? type)
}

function describeRange(place: SchemaPlace): string {
  const variant = variantsOf(place).find(
    ({ minimum, maximum }) => typeof minimum === 'number' || typeof maximum === 'number',
  )
  const from = bound(variant?.['minimum'])
  const to = bound(variant?.['maximum'])
  if (from === '' && to === '') return ''
  return from !== '' && to !== ''
    ? ` ${from}…${to}`
    : from !== ''
      ? ` from ${from}`
      : ` up to ${to}`
}

/** JavaScript's number limits mean nothing to people: zod adds them to every whole number. */
function bound(value: unknown): string {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? String(value) : ''
}

function firstText(schemas: readonly JsonSchema[], keyword: string): string | undefined {
  for (const schema of schemas) {
    const value = schema[keyword]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

function defaultOf(schemas: readonly JsonSchema[]): string | undefined {
  const schema = schemas.find((one) => Object.hasOwn(one, 'default'))
  return schema === undefined ? undefined : `default ${JSON.stringify(schema['default'])}`
}

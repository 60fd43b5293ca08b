import type { JsonSchema } from '../../../core/kernel/tool.ts'

/** A schema together with the document that its references point into. */
export interface SchemaPlace {
  schema: JsonSchema
  root: JsonSchema
}

export interface InputField extends SchemaPlace {
  key: string
  isRequired: boolean
}

/** References may be circular. */
const maxDepth = 16

/** The declared properties of an object schema, through references and combined schemas. */
export function fieldsOf(place: SchemaPlace): InputField[] {
  const fields = new Map<string, InputField>()
  for (const schema of variantsOf(place)) {
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
    for (const [key, value] of Object.entries(schemasIn(schema['properties']))) {
      const known = fields.get(key)
      fields.set(key, {
        key,
        root: place.root,
        schema: known === undefined ? value : { anyOf: [known.schema, value] },
        isRequired: required.has(key) || known?.isRequired === true,
      })
    }
  }
  return [...fields.values()]
}

/** The schema itself and everything it is combined from, references followed, `null` left out. */
export function variantsOf(place: SchemaPlace, depth = 0): JsonSchema[] {
  if (depth > maxDepth) return []
  const { schema, root } = place
  const parts = partsOf(place)
  const isOwn =
    parts.length === 0 || schema['properties'] !== undefined || schema['type'] !== undefined
  return [
    ...(isOwn && schema['type'] !== 'null' ? [schema] : []),
    ...parts.flatMap((part) => variantsOf({ schema: part, root }, depth + 1)),
  ]
}

function partsOf({ schema, root }: SchemaPlace): JsonSchema[] {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const list = schema[keyword]
    return Array.isArray(list) ? list.filter(isSchema) : []
  })
  const target = followReference(schema, root)
  return target === undefined ? parts : [...parts, target]
}

/** The JSON types a value may have, `null` left out; none means any. */
export function typesOf(place: SchemaPlace): Set<string> {
  return new Set(variantsOf(place).flatMap(typesOfVariant))
}

/** May the value be null? Then a missing key is set to null. */
export function isNullable({ schema, root }: SchemaPlace, depth = 0): boolean {
  if (depth > maxDepth) return false
  const { type, enum: values } = schema
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true
  if (Array.isArray(values) && values.includes(null)) return true
  return partsOf({ schema, root }).some((part) => isNullable({ schema: part, root }, depth + 1))
}

/** The schema of an array's items at `index`. */
export function itemOf(place: SchemaPlace, index: number): SchemaPlace | undefined {
  for (const variant of variantsOf(place)) {
    const tuple = variant['prefixItems']
    const item: unknown = Array.isArray(tuple)
      ? (tuple[index] ?? variant['items'])
      : variant['items']
    if (isSchema(item)) return { schema: item, root: place.root }
  }
  return undefined
}

/** The schema of an object's undeclared keys; undefined if they are not allowed. */
export function freeValueOf(place: SchemaPlace): SchemaPlace | undefined {
  for (const variant of variantsOf(place)) {
    const free = variant['additionalProperties']
    if (free === true) return { schema: {}, root: place.root }
    if (isSchema(free)) return { schema: free, root: place.root }
  }
  return undefined
}

/** The schema on its own: references inside still find their definitions. */
export function toStandalone({ schema, root }: SchemaPlace): JsonSchema {
  const definitions = root['$defs']
  return definitions === undefined || schema === root ? schema : { ...schema, $defs: definitions }
}

function typesOfVariant(schema: JsonSchema): string[] {
  const { type } = schema
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string' && one !== 'null')
  const values = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']]
  return values
    .filter((value) => value !== undefined && value !== null)
    .map((value) => typeof value)
}

function followReference(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const reference = schema['$ref']
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  let target: unknown = root
  for (const part of reference.split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isSchema(target) || !Object.hasOwn(target, key)) return undefined
    target = target[key]
  }
  return isSchema(target) ? target : undefined
}

function schemasIn(value: unknown): Record<string, JsonSchema> {
  if (!isSchema(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])),
  )
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

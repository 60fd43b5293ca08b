import { drawnAt, noPicks } from './drawn.ts'
import type { Drawn } from './drawn.ts'
import { childPath, fieldSpec } from './form-spec.ts'
import type { FormModel } from './form-model.ts'
import {
  isRecord,
  isSchema,
  numberOf,
  schemaEntries,
  schemasOf,
  textOf,
  typesOf,
} from './schema.ts'
import type { Schema, SchemaObject } from './schema.ts'

/** The kind of control for a place. */
export type Kind =
  | 'const'
  | 'choice'
  | 'choices'
  | 'boolean'
  | 'number'
  | 'text'
  | 'long-text'
  | 'secret'
  | 'date'
  | 'time'
  | 'date-time'
  | 'file'
  | 'files'
  | 'entity'
  | 'entities'
  | 'object'
  | 'list'
  | 'table'
  | 'tuple'
  | 'map'
  | 'json'

/** Decides by the schema, unless the definition of the tool names a widget that fits. */
export function kindOf(model: FormModel, drawn: Drawn, path: string): Kind {
  const { schema } = drawn
  if (drawn.isNever || drawn.lost !== undefined) return 'json'
  const kind = kindBySchema(model, schema, path)
  return byWidget(kind, fieldSpec(model.spec, path).widget)
}

function kindBySchema(model: FormModel, schema: SchemaObject, path: string): Kind {
  if ('const' in schema) return 'const'
  const values = schema['enum']
  if (Array.isArray(values) && values.length > 0) {
    return values.every((value) => typeof value !== 'object') ? 'choice' : 'json'
  }
  const type = typeOfSchema(schema)
  if (type === 'array') return listKind(model, schema, path)
  return type !== undefined && Object.hasOwn(byType, type)
    ? (byType[type]?.(schema) ?? 'json')
    : 'json'
}

const numberKind = (schema: SchemaObject): Kind =>
  textOf(schema['x-entity-type']) === undefined ? 'number' : 'entity'

const byType: Record<string, (schema: SchemaObject) => Kind> = {
  boolean: () => 'boolean',
  number: numberKind,
  integer: numberKind,
  string: textKind,
  object: objectKind,
  null: () => 'const',
}

/** The type, or what the keywords are about where none is named. */
export function typeOfSchema(schema: SchemaObject): string | undefined {
  const [type] = typesOf(schema)
  if (type !== undefined) return type
  const has = (...keywords: string[]) => keywords.some((keyword) => keyword in schema)
  if (has('properties', 'required', 'patternProperties', 'propertyNames')) return 'object'
  if (isRecord(schema['additionalProperties'])) return 'object'
  if (has('items', 'prefixItems', 'minItems', 'uniqueItems')) return 'array'
  if (has('minLength', 'maxLength', 'pattern', 'format', 'contentEncoding')) return 'string'
  return has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum') ? 'number' : undefined
}

export function isSecret(schema: SchemaObject): boolean {
  return schema['format'] === 'password' || schema['writeOnly'] === true
}

const byFormat: Record<string, Kind> = {
  date: 'date',
  time: 'time',
  'date-time': 'date-time',
  textarea: 'long-text',
  markdown: 'long-text',
  'multi-line': 'long-text',
  'data-url': 'file',
  'data-uri': 'file',
  file: 'file',
  binary: 'file',
  byte: 'file',
}

function textKind(schema: SchemaObject): Kind {
  if (isSecret(schema)) return 'secret'
  if (textOf(schema['x-entity-type']) !== undefined) return 'entity'
  if (schema['contentEncoding'] === 'base64') return 'file'
  const format = textOf(schema['format'])
  const kind =
    format !== undefined && Object.hasOwn(byFormat, format) ? byFormat[format] : undefined
  if (kind !== undefined) return kind
  const isLong = (numberOf(schema['maxLength']) ?? 0) > 200 || 'contentMediaType' in schema
  // A web address or a name may be long and is still one line.
  return isLong && format === undefined ? 'long-text' : 'text'
}

function objectKind(schema: SchemaObject): Kind {
  if (isRecord(schema['properties'])) return 'object'
  const isMap =
    isMeaningful(schema['additionalProperties']) || isRecord(schema['patternProperties'])
  if (isMap) return 'map'
  return schema['additionalProperties'] === false ? 'object' : 'json'
}

/** A schema with at least one keyword. */
export function isMeaningful(schema: unknown): schema is SchemaObject {
  return isRecord(schema) && Object.keys(schema).length > 0
}

function listKind(model: FormModel, schema: SchemaObject, path: string): Kind {
  if (schemasOf(schema['prefixItems']).length > 0) return 'tuple'
  const { items } = schema
  if (!isSchema(items) || items === true) return 'json'
  const item = drawnAt(model, items, { value: undefined, pointer: '', picks: noPicks })
  if (item.pickers.length > 0 || item.isConditional) return 'list'
  // Not looked into any further: a list of itself would never end.
  if (typeOfSchema(item.schema) === 'array') return 'list'
  const kind = kindBySchema(model, item.schema, `${path}[]`)
  if (kind === 'choice') return 'choices'
  if (kind === 'entity') return 'entities'
  if (kind === 'file') return 'files'
  return kind === 'object' && isFlat(model, item, `${path}[]`) ? 'table' : 'list'
}

const cellKinds = new Set<Kind>(['text', 'number', 'choice', 'boolean', 'date', 'time', 'const'])
const maxColumns = 4

/** Few enough plain values for a row of a table. */
function isFlat(model: FormModel, { schema }: Drawn, path: string): boolean {
  const entries = schemaEntries(schema['properties'])
  if (entries.length === 0 || entries.length > maxColumns) return false
  if (isMeaningful(schema['additionalProperties'])) return false
  return entries.every(([key, property]) => isCell(model, property, childPath(path, key)))
}

function isCell(model: FormModel, property: Schema, path: string): boolean {
  const drawn = drawnAt(model, property, { value: undefined, pointer: '', picks: noPicks })
  const type = typeOfSchema(drawn.schema)
  if (type === 'array' || type === 'object') return false
  return drawn.pickers.length === 0 && cellKinds.has(kindOf(model, drawn, path))
}

const texts = new Set<Kind>(['text', 'long-text', 'secret', 'file', 'date', 'time', 'date-time'])
const lists = new Set<Kind>(['list', 'table', 'choices', 'files', 'entities', 'tuple'])

/** A widget counts where it can hold the value. */
function byWidget(kind: Kind, widget: string | undefined): Kind {
  if (widget === 'json') return 'json'
  if (texts.has(kind)) {
    if (widget === 'text') return 'text'
    if (widget === 'textarea') return 'long-text'
    if (widget === 'secret') return 'secret'
    if (widget === 'file') return 'file'
  }
  if (lists.has(kind) && widget === 'list') return 'list'
  return kind
}

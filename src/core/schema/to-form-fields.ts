import type { JsonSchema, JsonValue } from '../kernel/tool.ts'
import { flatten } from './document/branch.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { pointerStep } from '../kernel/json/json-pointer.ts'
import {
  schemaEntries,
  schemasOf,
  stringsOf,
  type Subschema,
  typesOf,
} from './document/keywords.ts'
import { findNullness } from './prepare/nullness.ts'
import { createResolver, type ResolveRef } from './document/resolve-ref.ts'
import { toLabel } from './tool-definition.ts'

/** The editor of a field. */
export type FieldKind =
  | 'text'
  | 'multiline'
  | 'email'
  | 'url'
  | 'date'
  | 'time'
  | 'date-time'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'select'
  /** Several choices of a fixed set. */
  | 'choices'
  | 'list'
  | 'object'
  /** Anything without a better editor. */
  | 'json'

/** One field of a form or of the command line; plain data. */
export interface SchemaField {
  /** JSON pointer into the input; an item of a list is `-`. */
  path: string
  key: string
  label: string
  description?: string
  kind: FieldKind
  required: boolean
  /** May be left empty and is then null. */
  nullable: boolean
  default?: JsonValue
  choices?: readonly JsonValue[]
  min?: number
  max?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  /** The fields of an object. */
  fields?: readonly SchemaField[]
  /** One item of a list. */
  item?: SchemaField
}

/** Forms end at this depth; deeper values are edited as JSON. */
const maxFieldDepth = 5

/** The fields of an input schema, in order, as forms and the command line show them. */
export function toFormFields(schema: JsonSchema): SchemaField[] {
  return toFields(schema, { path: '', resolve: createResolver(schema), depth: 0 })
}

interface Place {
  path: string
  resolve: ResolveRef
  depth: number
}

function toFields(schema: Subschema, place: Place): SchemaField[] {
  const certain = flatten(schema, place.resolve)
  const required = new Set(certain.flatMap((inner) => stringsOf(inner, 'required')))
  const fields = certain.flatMap((inner) => schemaEntries(inner, 'properties'))
  const byKey = new Map(fields.map(([key, inner]) => [key, inner]))
  return [...byKey].map(([key, inner]) => ({
    ...toField(inner, key, {
      ...place,
      path: pointerStep(place.path, key),
      depth: place.depth + 1,
    }),
    required: required.has(key) && findNullness(inner, place.resolve) !== 'named',
  }))
}

function toField(schema: Subschema, key: string, place: Place): SchemaField {
  const nullable = findNullness(schema, place.resolve) === 'named'
  const facts = merge(schema, place.resolve)
  const kind = place.depth > maxFieldDepth ? 'json' : toKind(facts)
  const title = facts['title']
  return {
    path: place.path,
    key,
    label: typeof title === 'string' && title !== '' ? title : toLabel(toWords(key)),
    kind,
    required: false,
    nullable,
    ...pick(facts),
    ...toParts(kind, facts, place),
  }
}

/** Merges all schemas that apply to the value; for a union with null, the other branch. */
function merge(schema: Subschema, resolve: ResolveRef): JsonSchema {
  const certain = flatten(schema, resolve)
  const merged: JsonSchema = Object.assign({}, ...certain.toReversed())
  const branches = [...schemasOf(merged, 'anyOf'), ...schemasOf(merged, 'oneOf')]
  const others = branches.filter((branch) => !(isRecord(branch) && branch['type'] === 'null'))
  const [only, second] = others
  if (only === undefined) return merged
  const { anyOf: _, oneOf: __, ...rest } = merged
  if (second === undefined) return { ...merge(only, resolve), ...rest }
  const values = others.map((branch) => (isRecord(branch) ? branch['const'] : undefined))
  // A union of fixed values is a choice; any other has no field type.
  return values.every((value) => value !== undefined)
    ? { ...rest, enum: values }
    : { ...rest, anyOf: others }
}

const kindsByFormat: Readonly<Record<string, FieldKind>> = {
  date: 'date',
  time: 'time',
  'date-time': 'date-time',
  email: 'email',
  uri: 'url',
}

/** Longer texts get more than one line. */
const multilineFrom = 300

function toKind(facts: JsonSchema): FieldKind {
  if ('enum' in facts || 'const' in facts) return 'select'
  const types = (typesOf(facts) ?? []).filter((type) => type !== 'null')
  const [type] = types
  if (types.length !== 1 || 'anyOf' in facts) return 'json'
  switch (type) {
    case 'string':
      return toTextKind(facts)
    case 'array':
      return toListKind(facts)
    case 'object':
      return isRecord(facts['properties']) && !isOpen(facts) ? 'object' : 'json'
    default:
      return type as 'number' | 'integer' | 'boolean'
  }
}

function toTextKind(facts: JsonSchema): FieldKind {
  const format = facts['format']
  if (typeof format === 'string' && Object.hasOwn(kindsByFormat, format))
    return kindsByFormat[format] ?? 'text'
  return typeof facts['maxLength'] === 'number' && facts['maxLength'] >= multilineFrom
    ? 'multiline'
    : 'text'
}

function toListKind(facts: JsonSchema): FieldKind {
  const items = facts['items']
  if (!isRecord(items) || 'prefixItems' in facts) return 'json'
  return Array.isArray(items['enum']) && facts['uniqueItems'] === true ? 'choices' : 'list'
}

function isOpen(facts: JsonSchema): boolean {
  return facts['additionalProperties'] !== undefined && facts['additionalProperties'] !== false
}

function pick(facts: JsonSchema): Partial<SchemaField> {
  const { description, minimum, maximum, minItems, maxItems, minLength, maxLength, pattern } =
    facts as Record<string, never>
  const choices = toChoices(facts)
  const found = {
    description,
    default: facts['default'] as JsonValue | undefined,
    choices,
    min: minimum ?? minItems,
    max: maximum ?? maxItems,
    minLength,
    maxLength,
    pattern,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function toChoices(facts: JsonSchema): JsonValue[] | undefined {
  if ('const' in facts) return [facts['const'] as JsonValue]
  const items = facts['items']
  const values =
    facts['enum'] ?? (isRecord(items) && facts['uniqueItems'] === true ? items['enum'] : undefined)
  return Array.isArray(values)
    ? (values as JsonValue[]).filter((value) => value !== null)
    : undefined
}

function toParts(kind: FieldKind, facts: JsonSchema, place: Place): Partial<SchemaField> {
  if (kind === 'object') return { fields: toFields(facts, place) }
  if (kind !== 'list') return {}
  const below = { ...place, path: pointerStep(place.path, '-'), depth: place.depth + 1 }
  return { item: toField(facts['items'] as Subschema, '-', below) }
}

/** `maxChars` → `max chars`: keys are names for programs. */
function toWords(key: string): string {
  return key.replaceAll(
    /([a-z0-9])([A-Z])/g,
    (_, before: string, capital: string) => `${before} ${capital.toLowerCase()}`,
  )
}

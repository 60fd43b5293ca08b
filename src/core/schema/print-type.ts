import type { JsonSchema } from '../kernel/json.ts'
import { createResolver, type ResolveRef } from './document/resolve-ref.ts'
import { isRecord } from '../kernel/json/json-type.ts'

/** A JSON Schema as a TypeScript type, with descriptions and defaults as comments. */
export function printType(schema: JsonSchema, indent = ''): string {
  const budget = { left: maxParts }
  return print(schema, { indent, resolve: createResolver(schema), above: [], budget })
}

/** References that multiply would otherwise fill the memory; nobody reads a type this long. */
const maxParts = 5000

interface Place {
  indent: string
  resolve: ResolveRef
  /** Schemas being printed: a recursive one ends at its second occurrence. */
  above: readonly unknown[]
  /** How many more parts may be printed in total. */
  budget: { left: number }
}

function print(schema: unknown, place: Place): string {
  if (schema === false) return 'never'
  place.budget.left -= 1
  const isEnough = place.budget.left < 0 || place.above.includes(schema)
  if (!isRecord(schema) || isEnough) return 'unknown'
  const inside = { ...place, above: [...place.above, schema] }
  const parts = [
    ...printRef(schema, inside),
    ...printValues(schema),
    ...printBranches(schema, inside),
    ...printAll(schema, inside),
    ...printKinds(schema, inside),
  ].filter((part) => part !== 'unknown')
  return (
    [...new Set(parts)].map((part) => (parts.length > 1 ? wrapped(part) : part)).join(' & ') ||
    'unknown'
  )
}

function printRef({ $ref }: JsonSchema, place: Place): string[] {
  if (typeof $ref !== 'string') return []
  return [print(place.resolve($ref), place)]
}

function printValues(schema: JsonSchema): string[] {
  if ('const' in schema) return [printLiteral(schema['const'])]
  const { enum: values } = schema
  return Array.isArray(values) ? [union(values.map(printLiteral))] : []
}

function printLiteral(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value)
}

function printBranches(schema: JsonSchema, place: Place): string[] {
  return [schema['anyOf'], schema['oneOf']]
    .filter((branches) => Array.isArray(branches))
    .map((branches: unknown[]) => union(branches.map((branch) => print(branch, place))))
}

function printAll({ allOf }: JsonSchema, place: Place): string[] {
  return Array.isArray(allOf) ? allOf.map((part) => print(part, place)) : []
}

/** The types in `type`, if neither `const` nor `enum` is more specific. */
function printKinds(schema: JsonSchema, place: Place): string[] {
  if ('const' in schema || 'enum' in schema) return []
  const { type } = schema
  if (Array.isArray(type)) return [union(type.map((one) => printKind(one, schema, place)))]
  if (type !== undefined) return [printKind(type, schema, place)]
  return isRecord(schema['properties']) ? [printObject(schema, place)] : []
}

function printKind(type: unknown, schema: JsonSchema, place: Place): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return printList(schema, place)
    case 'object':
      return printObject(schema, place)
    default:
      return 'unknown'
  }
}

function printList({ prefixItems, items }: JsonSchema, place: Place): string {
  const rest = items === undefined ? 'unknown' : print(items, place)
  if (!Array.isArray(prefixItems)) return `${wrapped(rest)}[]`
  const first = prefixItems.map((item) => print(item, place))
  return `[${[...first, ...(items === false ? [] : [`...${wrapped(rest)}[]`])].join(', ')}]`
}

function printObject(schema: JsonSchema, place: Place): string {
  const properties = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {})
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const inner = `${place.indent}  `
  const lines = properties.flatMap(([key, property]) => [
    ...printComment(property, inner),
    `${inner}${printKey(key)}${required.includes(key) ? '' : '?'}: ${print(property, { ...place, indent: inner })}`,
  ])
  const { additionalProperties: others } = schema
  // Keys that are stripped before a tool sees them are not printed; an object without keys is a
  // map.
  const isMap = properties.length === 0 || isRecord(others)
  const index = `{ [key: string]: ${others === false ? 'never' : print(others, place)} }`
  if (properties.length === 0) return others === false ? '{}' : index
  const body = `{\n${lines.join('\n')}\n${place.indent}}`
  return isMap ? `${body} & { [key: string]: unknown }` : body
}

/** The description of a property, and its default, as an editor shows them. */
export function printComment(schema: unknown, indent: string): string[] {
  if (!isRecord(schema)) return []
  const { description, default: preset } = schema
  const texts = [
    ...(typeof description === 'string' && description.trim() !== '' ? [description.trim()] : []),
    ...(isWorthSaying(preset) ? [`Default: \`${JSON.stringify(preset)}\`.`] : []),
  ]
  if (texts.length === 0) return []
  const lines = texts.flatMap((text) => text.replaceAll('*/', '*\\/').split(/\r?\n/))
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`]
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`]
}

/** An empty default adds nothing to the type. */
function isWorthSaying(preset: unknown): boolean {
  return preset !== undefined && !['{}', '[]', '""'].includes(JSON.stringify(preset))
}

export function printKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key)
    ? key
    : `'${key.replaceAll(/['\\\n\r\u2028\u2029]/g, toEscape)}'`
}

function toEscape(character: string): string {
  return character === "'" || character === '\\'
    ? `\\${character}`
    : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function union(parts: readonly string[]): string {
  const distinct = [...new Set(parts)]
  return distinct.length === 0 || distinct.includes('unknown') ? 'unknown' : distinct.join(' | ')
}

/** In parentheses if an operator after it would bind only to its end. */
function wrapped(type: string): string {
  const isPlain = !/[|&]/.test(type) || /^\{[^{}]*\}$/.test(type)
  return isPlain ? type : `(${type})`
}

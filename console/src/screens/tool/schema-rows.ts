import { locale } from '../../ui/format/locale.ts'

/** One row of a schema. */
export interface SchemaRow {
  /** As in code: `address.city`, `items[].name`. */
  path: string
  depth: number
  type: string
  isRequired: boolean
  description: string
  /** The limits of a value: `1 to 50`, `one of a, b`. */
  limits: string
}

type Schema = Record<string, unknown>

const mostRows = 300
const deepest = 6

/** The fields of a schema, parents before children. A recursive schema is cut off. */
export function toSchemaRows(root: unknown): SchemaRow[] {
  const rows: SchemaRow[] = []
  if (isSchema(root)) addFields(resolve(root, root), { rows, root, path: '', depth: 0 })
  return rows
}

interface Place {
  rows: SchemaRow[]
  root: Schema
  path: string
  depth: number
}

function addFields(schema: Schema, place: Place): void {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  for (const [name, given] of Object.entries(fieldsOf(schema))) {
    if (place.rows.length >= mostRows || !isSchema(given)) continue
    const field = resolve(given, place.root)
    const path = place.path === '' ? name : `${place.path}.${name}`
    place.rows.push({
      path,
      depth: place.depth,
      type: describeType(field, place.root),
      isRequired: required.includes(name),
      description: textOf(field['description']) || textOf(field['title']),
      limits: describeLimits(field),
    })
    addInner(field, { ...place, path, depth: place.depth + 1 })
  }
}

function addInner(field: Schema, place: Place): void {
  if (place.depth > deepest) return
  const items = field['items']
  if (isSchema(items)) addInner(resolve(items, place.root), { ...place, path: `${place.path}[]` })
  else addFields(field, place)
}

function fieldsOf(schema: Schema): Schema {
  return isSchema(schema['properties']) ? schema['properties'] : {}
}

/** Follows local references; `X or null` becomes X. */
function resolve(schema: Schema, root: Schema, hops = 0): Schema {
  const reference = schema['$ref']
  if (typeof reference === 'string' && hops < 10) {
    const target = find(root, reference)
    if (target !== undefined) return { ...resolve(target, root, hops + 1), ...without(schema) }
  }
  const choices = choicesOf(schema).filter((choice) => choice['type'] !== 'null')
  const [only] = choices
  if (only !== undefined && choices.length === 1 && hops < 10) {
    return { ...resolve(only, root, hops + 1), ...without(schema), isNullable: true }
  }
  return schema
}

function without({ $ref: _ref, anyOf: _any, oneOf: _one, ...rest }: Schema): Schema {
  return rest
}

function choicesOf(schema: Schema): Schema[] {
  const choices = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(choices) ? choices.filter(isSchema) : []
}

function find(root: Schema, reference: string): Schema | undefined {
  if (!reference.startsWith('#')) return undefined
  let at: unknown = root
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isSchema(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return isSchema(at) ? at : undefined
}

function describeType(schema: Schema, root: Schema): string {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string')
  const named = types.filter((type) => type !== 'null')
  const isNullable = schema['isNullable'] === true || named.length < types.length
  const suffix = isNullable ? ' or null' : ''
  if (named[0] === 'array') {
    const items = schema['items']
    return `list of ${isSchema(items) ? describeType(resolve(items, root), root) : 'anything'}${suffix}`
  }
  if (named.length > 0) return named.join(' or ') + suffix
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const choices = choicesOf(schema)
  if (choices.length > 0) return `one of ${choices.length} kinds`
  return Array.isArray(schema['enum']) ? `value${suffix}` : 'anything'
}

function describeLimits(schema: Schema): string {
  const said: string[] = []
  if (Array.isArray(schema['enum'])) {
    said.push(`one of ${schema['enum'].map((value) => String(value)).join(', ')}`)
  }
  const range = describeRange(schema['minimum'], schema['maximum'])
  if (range !== '') said.push(range)
  const long = describeRange(schema['minLength'], schema['maxLength'])
  if (long !== '') said.push(`${long} characters`)
  const many = describeRange(schema['minItems'], schema['maxItems'])
  if (many !== '') said.push(`${many} items`)
  if (typeof schema['format'] === 'string') said.push(schema['format'])
  if (typeof schema['pattern'] === 'string') said.push(`matches ${schema['pattern']}`)
  if (schema['default'] !== undefined) said.push(`default ${JSON.stringify(schema['default'])}`)
  return said.join(' · ')
}

/** The largest safe integer as a bound means no bound. */
function describeRange(least: unknown, most: unknown): string {
  const low = typeof least === 'number' && Math.abs(least) < Number.MAX_SAFE_INTEGER
  const high = typeof most === 'number' && Math.abs(most) < Number.MAX_SAFE_INTEGER
  if (low && high) return least === most ? say(least) : `${say(least)} to ${say(most)}`
  if (low) return `at least ${say(least)}`
  return high ? `at most ${say(most)}` : ''
}

const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
const say = (value: number): string => number.format(value)

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { JsonSchema } from '../../kernel/json.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { schemaEntries, schemasOf, stringsOf, type Subschema, typesOf } from './keywords.ts'
import { createResolver, type ResolveRef } from './resolve-ref.ts'

/** The place in an input that a path names, or the point where the path leaves the schema. */
export type FoundPlace =
  | {
      kind: 'found'
      /** The properties of the place. */
      names: readonly string[]
      /** Required, and not filled in automatically. */
      mustBeGiven: boolean
    }
  | { kind: 'missing'; at: string; known: readonly string[] }

/**
 * Follows a path such as `customer.email` or `tasks[].name` into a schema, through references and
 * all alternatives. Keys of maps are written as `*`.
 */
export function findPlace(root: JsonSchema, path: string): FoundPlace {
  const resolve = createResolver(root)
  let found: { nodes: JsonSchema[]; rest: string; mustBeGiven: boolean } = {
    nodes: expandSchemas([root], resolve),
    rest: path,
    mustBeGiven: false,
  }
  while (found.rest !== '') {
    const next = step(found.nodes, found.rest)
    if (next === undefined) {
      return { kind: 'missing', at: found.rest, known: namesOf(found.nodes) }
    }
    const nodes = expandSchemas(next.schemas, resolve)
    found = { nodes, rest: next.rest, mustBeGiven: next.isRequired && !isFilledIn(nodes) }
  }
  return { kind: 'found', names: namesOf(found.nodes), mustBeGiven: found.mustBeGiven }
}

/** The properties that an input may have, in any of its alternatives. */
export function propertyNames(schema: JsonSchema, resolve: ResolveRef): string[] {
  return namesOf(expandSchemas([schema], resolve))
}

interface Step {
  schemas: Subschema[]
  rest: string
  isRequired: boolean
}

/** One step of a path. A name may contain dots: the longest known name wins. */
function step(nodes: readonly JsonSchema[], path: string): Step | undefined {
  if (path.startsWith('[]')) {
    const schemas = nodes.flatMap((node) => [
      ...schemasOf(node, 'prefixItems'),
      ...asSchemas(node['items']),
    ])
    return { schemas, rest: afterDot(path.slice(2)), isRequired: true }
  }
  const name = namesOf(nodes)
    .filter((known) => path === known || /^(?:\.|\[\])/.test(cut(path, known) ?? ''))
    .toSorted((a, b) => b.length - a.length)[0]
  if (name !== undefined) {
    const schemas = nodes.flatMap((node) =>
      schemaEntries(node, 'properties').flatMap(([key, inner]) => (key === name ? [inner] : [])),
    )
    const isRequired = nodes.some((node) => stringsOf(node, 'required').includes(name))
    return { schemas, rest: afterDot(path.slice(name.length)), isRequired }
  }
  if (path !== '*' && !path.startsWith('*.') && !path.startsWith('*[]')) return undefined
  const schemas = nodes.flatMap((node) => [
    ...schemaEntries(node, 'patternProperties').map(([, inner]) => inner),
    ...asSchemas(node['additionalProperties']),
  ])
  return { schemas, rest: afterDot(path.slice(1)), isRequired: true }
}

function cut(path: string, start: string): string | undefined {
  return path.startsWith(start) ? path.slice(start.length) : undefined
}

const afterDot = (path: string) => (path.startsWith('.') ? path.slice(1) : path)

function asSchemas(value: unknown): Subschema[] {
  return isRecord(value) ? [value] : []
}

function namesOf(nodes: readonly JsonSchema[]): string[] {
  const entries = nodes.flatMap((node) => schemaEntries(node, 'properties'))
  return [...new Set(entries.map(([key]) => key))]
}

function isFilledIn(nodes: readonly JsonSchema[]): boolean {
  return nodes.some(
    (node) => 'default' in node || 'const' in node || typesOf(node)?.includes('null') === true,
  )
}

const maxNodes = 500

/** Everything that may apply at one place: references, all alternatives, all conditions. */
export function expandSchemas(schemas: readonly Subschema[], resolve: ResolveRef): JsonSchema[] {
  const seen = new Set<JsonSchema>()
  const open = [...schemas]
  while (open.length > 0 && seen.size < maxNodes) {
    const schema = open.shift()
    if (!isRecord(schema) || seen.has(schema)) continue
    seen.add(schema)
    const target = typeof schema['$ref'] === 'string' ? resolve(schema['$ref']) : undefined
    if (target !== undefined) open.push(target)
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) open.push(...schemasOf(schema, keyword))
    open.push(...asSchemas(schema['then']), ...asSchemas(schema['else']))
    open.push(...schemaEntries(schema, 'dependentSchemas').map(([, inner]) => inner))
  }
  return [...seen]
}

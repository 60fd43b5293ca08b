import type { JsonSchema } from '../../kernel/tool.ts'
import {
  isOfType,
  isRecord,
  type JsonType,
  jsonTypes,
  ownValue,
} from '../../kernel/json/json-type.ts'
import { schemaEntries, schemasOf, type Subschema, typesOf } from './keywords.ts'
import type { ResolveRef } from './resolve-ref.ts'

/** Cheap facts about a schema: enough to rule a branch of a union out without validating. */
export interface Glance {
  /** The possible types; all of them if the schema names none. */
  readonly types: readonly JsonType[]
  /** The only possible values, if the schema lists them and they are all scalars. */
  readonly values: ReadonlySet<unknown> | undefined
}

/** A branch of a union with its tags: keys whose value identifies the branch (`kind: "a"`). */
export interface Branch extends Glance {
  readonly schema: Subschema
  readonly tags: ReadonlyMap<string, ReadonlySet<unknown>>
}

/** Cached, because a reference that is used twice at every level is visited 2ⁿ times. */
const glances = new WeakMap<JsonSchema, Glance>()
const anything: Glance = { types: jsonTypes, values: undefined }
const nothing: Glance = { types: [], values: undefined }

/** The cheap facts of a schema, including its references. The limits have excluded endless ones. */
export function glance(schema: Subschema, resolve: ResolveRef): Glance {
  if (typeof schema === 'boolean') return schema ? anything : nothing
  const known = glances.get(schema)
  if (known) return known
  const conjuncts = flatten(schema, resolve)
  const seen: Glance = {
    types: conjuncts.reduce<readonly JsonType[]>(
      (types, inner) => narrow(types, inner, resolve),
      jsonTypes,
    ),
    values: conjuncts.map(valuesOf).find((values) => values !== undefined),
  }
  glances.set(schema, seen)
  return seen
}

/** The cheap facts of a branch of a union. */
export function toBranch(schema: Subschema, resolve: ResolveRef): Branch {
  const tags = new Map<string, ReadonlySet<unknown>>()
  for (const conjunct of flatten(schema, resolve)) {
    for (const [key, inner] of schemaEntries(conjunct, 'properties')) {
      const { values } = glance(inner, resolve)
      if (values && !tags.has(key)) tags.set(key, values)
    }
  }
  return { schema, tags, ...glance(schema, resolve) }
}

/**
 * False when a branch can't match, by its type, its values or its tags. A missing tag rules nothing
 * out.
 */
export function mayFit(branch: Branch, value: unknown): boolean {
  return fitsGlance(branch, value) && findWrongTag(branch, value) === undefined
}

/** False when a value can't match, by type or by value. */
export function fitsGlance({ types, values }: Glance, value: unknown): boolean {
  return types.some((type) => isOfType(value, type)) && (values === undefined || values.has(value))
}

/** The key that rules a branch out. */
export function findWrongTag(branch: Branch, value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  for (const [key, values] of branch.tags) {
    const own = ownValue(value, key)
    if (own !== undefined && !values.has(own)) return key
  }
  return undefined
}

/** All schemas that certainly apply to the same value: the schema, its references, its `allOf`. */
export function flatten(schema: Subschema, resolve: ResolveRef): JsonSchema[] {
  const found = new Set<JsonSchema>()
  const open: (Subschema | undefined)[] = [schema]
  while (open.length > 0) {
    const next = open.pop()
    if (!isRecord(next) || found.has(next)) continue
    found.add(next)
    if (typeof next['$ref'] === 'string') open.push(resolve(next['$ref']))
    open.push(...schemasOf(next, 'allOf'))
  }
  return [...found]
}

function narrow(types: readonly JsonType[], schema: JsonSchema, resolve: ResolveRef): JsonType[] {
  const named = typesOf(schema)
  const unions = ['anyOf', 'oneOf'].flatMap((keyword) => {
    const branches = schemasOf(schema, keyword)
    if (branches.length === 0) return []
    return [new Set(branches.flatMap((branch) => glance(branch, resolve).types))]
  })
  return types.filter((type) => {
    const isNamed =
      named === undefined ||
      named.includes(type) ||
      (type === 'integer' && named.includes('number'))
    return isNamed && unions.every((union) => union.has(type))
  })
}

function valuesOf(schema: JsonSchema): ReadonlySet<unknown> | undefined {
  const values: unknown = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum']
  if (
    !Array.isArray(values) ||
    values.some((value) => typeof value === 'object' && value !== null)
  ) {
    return undefined
  }
  return new Set(values)
}

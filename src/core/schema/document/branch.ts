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

/** What can be said of a schema at a glance: enough to rule a branch of a union out without judging it. */
export interface Glance {
  /** The types it can have; all of them when it does not say. */
  readonly types: readonly JsonType[]
  /** The only values it can have, where it says so and they are no objects or arrays. */
  readonly values: ReadonlySet<unknown> | undefined
}

/** A branch of a union with its tags: keys whose value tells the branches apart (`kind: "a"`). */
export interface Branch extends Glance {
  readonly schema: Subschema
  readonly tags: ReadonlyMap<string, ReadonlySet<unknown>>
}

/** Remembered, because a reference that is used twice at every level is met 2ⁿ times. */
const glances = new WeakMap<JsonSchema, Glance>()
const anything: Glance = { types: jsonTypes, values: undefined }
const nothing: Glance = { types: [], values: undefined }

/** A look at a schema, through its references. The bounds have ruled endless ones out. */
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

/** A branch of a union, looked at once. */
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

/** False when a branch can't fit, by its type, its values or its tags. A missing tag rules nothing out. */
export function mayFit(branch: Branch, value: unknown): boolean {
  return fitsGlance(branch, value) && findWrongTag(branch, value) === undefined
}

/** False when a value can't fit, by type or by value. */
export function fitsGlance({ types, values }: Glance, value: unknown): boolean {
  return types.some((type) => isOfType(value, type)) && (values === undefined || values.has(value))
}

/** The key by which a branch is ruled out. */
export function findWrongTag(branch: Branch, value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  for (const [key, values] of branch.tags) {
    const own = ownValue(value, key)
    if (own !== undefined && !values.has(own)) return key
  }
  return undefined
}

/** The schemas that all judge the same value for certain: the schema, what it refers to, its `allOf`. */
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

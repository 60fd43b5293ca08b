import type { JsonSchema } from '../../kernel/tool.ts'
import { schemasOf, type Subschema, typesOf } from '../document/keywords.ts'
import type { ResolveRef } from '../document/resolve-ref.ts'

/** How a schema treats null: named explicitly, accepted because anything is, or refused. */
export type Nullness = 'named' | 'taken' | 'refused'

const remembered = new WeakMap<JsonSchema, Nullness>()

/**
 * How a schema treats null, through references and unions. The limits have excluded endless ones.
 */
export function findNullness(schema: Subschema | undefined, resolve: ResolveRef): Nullness {
  if (schema === undefined || schema === true) return 'taken'
  if (schema === false) return 'refused'
  const known = remembered.get(schema)
  if (known) return known
  const nullness = joinAll([
    ...findOwn(schema),
    typeof schema['$ref'] === 'string' ? findNullness(resolve(schema['$ref']), resolve) : 'taken',
    ...schemasOf(schema, 'allOf').map((inner) => findNullness(inner, resolve)),
    joinAny(schemasOf(schema, 'anyOf').map((inner) => findNullness(inner, resolve))),
    joinOne(schemasOf(schema, 'oneOf').map((inner) => findNullness(inner, resolve))),
    ...findConditional(schema, resolve),
  ])
  remembered.set(schema, nullness)
  return nullness
}

/** All must accept it: one refusal refuses, one explicit null names it. */
export function joinAll(words: readonly Nullness[]): Nullness {
  if (words.includes('refused')) return 'refused'
  return words.includes('named') ? 'named' : 'taken'
}

function joinAny(words: readonly Nullness[]): Nullness {
  if (words.length === 0) return 'taken'
  if (words.includes('named')) return 'named'
  return words.includes('taken') ? 'taken' : 'refused'
}

/** Exactly one may accept null; otherwise null matches too often. */
function joinOne(words: readonly Nullness[]): Nullness {
  if (words.length === 0) return 'taken'
  const taking = words.filter((word) => word !== 'refused')
  return taking.length === 1 ? (taking[0] ?? 'refused') : 'refused'
}

function findOwn(schema: JsonSchema): Nullness[] {
  const types = typesOf(schema)
  const words: Nullness[] = []
  if (types) words.push(types.includes('null') ? 'named' : 'refused')
  if (Object.hasOwn(schema, 'const')) words.push(schema['const'] === null ? 'named' : 'refused')
  const values = schema['enum']
  if (Array.isArray(values)) words.push(values.includes(null) ? 'named' : 'refused')
  return words
}

function findConditional(schema: JsonSchema, resolve: ResolveRef): Nullness[] {
  const words: Nullness[] = []
  const {
    not,
    if: condition,
    then,
    else: otherwise,
  } = schema as Record<string, Subschema | undefined>
  if (not !== undefined) words.push(findNullness(not, resolve) === 'refused' ? 'taken' : 'refused')
  if (condition !== undefined) {
    const next = findNullness(condition, resolve) === 'refused' ? otherwise : then
    words.push(findNullness(next, resolve))
  }
  return words
}

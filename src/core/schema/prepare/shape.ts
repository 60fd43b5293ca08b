import type { JsonSchema } from '../../kernel/tool.ts'
import { flatten } from '../document/branch.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import {
  findSubschemas,
  inPlaceKeywords,
  schemaEntries,
  schemasOf,
  stringsOf,
  type Subschema,
} from '../document/keywords.ts'
import type { ResolveRef } from '../document/resolve-ref.ts'

/** Schemas that judge one value, sorted by what is certain about them. */
export interface Shape {
  /** Hold for certain. */
  readonly certain: readonly JsonSchema[]
  /** Alternatives of which some hold; each array is the keyword's own, so that it has an identity. */
  readonly unions: readonly (readonly Subschema[])[]
}

/** Gathers everything that judges the same value. */
export function toShape(schemas: readonly Subschema[], resolve: ResolveRef): Shape {
  const certain = [...new Set(schemas.flatMap((schema) => flatten(schema, resolve)))]
  const unions = certain.flatMap((schema) =>
    [schemasOf(schema, 'anyOf'), schemasOf(schema, 'oneOf')].filter((union) => union.length > 0),
  )
  return { certain, unions }
}

/** What a schema says about keys, all its branches and conditions included. */
export interface KeyRules {
  /** Keys that some keyword names. */
  readonly named: ReadonlySet<string>
  /** Keys whose presence some keyword asks for or reacts to. */
  readonly weighed: ReadonlySet<string>
  /** Some keyword counts keys or judges their names. */
  readonly counts: boolean
  /** Some keyword allows keys that are not named. */
  readonly opens: boolean
}

/** A union that was looked at with a value: which branch it must be, or -1 when that can't be told. */
export interface Choice {
  readonly union: readonly Subschema[]
  readonly index: number
  /** Others were ruled out only because a key is missing: filling it in would bring them back. */
  readonly byNeed: boolean
}

/** Listens to schemas and everything inside them that judges the same value; settled unions have had their say. */
export function hearKeys(
  schemas: readonly Subschema[],
  choices: readonly Choice[],
  resolve: ResolveRef,
): KeyRules {
  const heard = findInPlace(schemas, choices, resolve)
  const reacting = heard.flatMap(findReacting)
  // Filling in one of the keys that a branch was ruled out by would bring that branch back.
  const ruledOut = choices.filter(({ byNeed }) => byNeed).map(({ union }) => union)
  return {
    named: new Set([...heard.flatMap(({ schema }) => findNamed(schema)), ...reacting]),
    weighed: new Set([
      ...reacting,
      ...ruledOut.flatMap((union) => [...hearKeys(union, [], resolve).named]),
    ]),
    counts: heard.some(({ schema }) => countingKeywords.some((keyword) => keyword in schema)),
    opens: heard.some(({ schema }) => isOpen(schema)),
  }
}

const countingKeywords = ['maxProperties', 'propertyNames', 'patternProperties']

function findNamed(schema: JsonSchema): string[] {
  return [
    ...schemaEntries(schema, 'properties').map(([key]) => key),
    ...stringsOf(schema, 'required'),
  ]
}

function findReacting({ schema, isCertain }: InPlace): string[] {
  const dependent = (schema['dependentRequired'] ?? {}) as Record<string, string[]>
  return [
    ...(isCertain ? [] : findNamed(schema)),
    ...Object.entries(dependent).flat(2),
    ...schemaEntries(schema, 'dependentSchemas').map(([key]) => key),
  ]
}

/** True when a schema names its keys or forbids others: then keys it does not name are unknown. */
export function isClosed(schema: JsonSchema): boolean {
  return isRecord(schema['properties']) || schema['additionalProperties'] === false
}

/** True when a schema says in so many words that other keys are welcome. */
export function isOpen(schema: JsonSchema): boolean {
  return ['additionalProperties', 'unevaluatedProperties'].some(
    (keyword) => schema[keyword] !== undefined && schema[keyword] !== false,
  )
}

interface InPlace {
  schema: JsonSchema
  /** Not under a union, a condition or a negation. */
  isCertain: boolean
}

function findInPlace(
  schemas: readonly Subschema[],
  choices: readonly Choice[],
  resolve: ResolveRef,
): InPlace[] {
  const settled = new Set(choices.filter(({ index }) => index >= 0).map(({ union }) => union))
  const found = new Map<JsonSchema, InPlace>()
  const open = schemas.map((schema) => ({ schema: schema as unknown, isCertain: true }))
  while (open.length > 0) {
    const next = open.pop()
    if (next === undefined || !isRecord(next.schema)) continue
    const { schema, isCertain } = next
    const known = found.get(schema)
    // A schema met again on a less certain way says as much as before, and its keys weigh more.
    if (known && (isCertain || !known.isCertain)) continue
    found.set(schema, { schema, isCertain })
    if (typeof schema['$ref'] === 'string')
      open.push({ schema: resolve(schema['$ref']), isCertain })
    for (const inner of findSubschemas(schema, '')) {
      if (!inPlaceKeywords.has(inner.keyword)) continue
      if (settled.has(schema[inner.keyword] as Subschema[])) continue
      open.push({ schema: inner.schema, isCertain: isCertain && inner.keyword === 'allOf' })
    }
  }
  return [...found.values()]
}

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

/** Schemas that apply to one value, sorted by certainty. */
export interface Shape {
  /** Those that certainly apply. */
  readonly certain: readonly JsonSchema[]
  /**
   * Alternatives of which some apply; each array is the keyword's own, so that it has an identity.
   */
  readonly unions: readonly (readonly Subschema[])[]
}

/** Collects everything that applies to the same value. */
export function toShape(schemas: readonly Subschema[], resolve: ResolveRef): Shape {
  const certain = [...new Set(schemas.flatMap((schema) => flatten(schema, resolve)))]
  const unions = certain.flatMap((schema) =>
    [schemasOf(schema, 'anyOf'), schemasOf(schema, 'oneOf')].filter((union) => union.length > 0),
  )
  return { certain, unions }
}

/** The keys that a schema refers to, in all its branches and conditions. */
export interface KeyRules {
  /** Keys that some keyword names. */
  readonly named: ReadonlySet<string>
  /** Keys whose presence some keyword requires or reacts to. */
  readonly weighed: ReadonlySet<string>
  /** Some keyword counts keys or checks their names. */
  readonly counts: boolean
  /** Some keyword allows keys that are not named. */
  readonly opens: boolean
}

/** A union evaluated with a value: the only possible branch, or -1 if it is undecided. */
export interface Choice {
  readonly union: readonly Subschema[]
  readonly index: number
  /**
   * Others were ruled out only because a key is missing: filling it in would make them possible
   * again.
   */
  readonly byNeed: boolean
}

/**
 * Collects from schemas and everything inside them that applies to the same value; decided unions
 * are skipped.
 */
export function hearKeys(
  schemas: readonly Subschema[],
  choices: readonly Choice[],
  resolve: ResolveRef,
): KeyRules {
  const heard = findInPlace(schemas, choices, resolve)
  const reacting = heard.flatMap(findReacting)
  // Filling in a key that ruled out a branch would make that branch possible again.
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

/** True when a schema names its keys or forbids others: keys it does not name are then unknown. */
export function isClosed(schema: JsonSchema): boolean {
  return isRecord(schema['properties']) || schema['additionalProperties'] === false
}

/** True when a schema explicitly allows other keys. */
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
    // A schema reached again on a less certain path adds nothing, except that its keys weigh more.
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

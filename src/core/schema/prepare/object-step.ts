import { flatten, glance } from '../document/branch.ts'
import { ownValue } from '../../kernel/json/json-type.ts'
import { schemaEntries, stringsOf, type Subschema } from '../document/keywords.ts'
import { compilePattern } from '../document/pattern.ts'
import { isRecursive } from '../document/reach.ts'
import { findNullness, joinAll } from './nullness.ts'
import { hearKeys, isClosed, isOpen, type KeyRules } from './shape.ts'
import type { Effort, Situation, Step, StepMaker } from './step.ts'

/** Fills missing keys, drops unknown ones and prepares the values inside. */
export function toObjectStep(situation: Situation, maker: StepMaker): Step {
  const rules = hearKeys(situation.schemas, situation.choices, maker.resolve)
  const fields = toFields(situation, rules, maker)
  const others = toOtherKeys(situation, rules, maker)
  return (value, depth, effort) => {
    effort.left -= fields.length
    if (effort.left < 0) return value
    const record = value as Readonly<Record<string, unknown>>
    let copy: Record<string, unknown> | undefined
    for (const { key, step, fill } of fields) {
      const own = ownValue(record, key)
      const start = own === undefined && fill ? spendOn(fill, effort) : own
      const next = step ? step(start, depth + 1, effort) : start
      if (next === own) continue
      // Spreading copies own keys unchanged, including `__proto__`.
      copy ??= { ...record }
      copy[key] = next
    }
    return others(copy ?? record, depth, effort)
  }
}

/** Filling in a key costs as much as visiting twenty. */
function spendOn(fill: () => unknown, effort: Effort): unknown {
  effort.left -= 20
  return effort.left < 0 ? undefined : fill()
}

interface Field {
  key: string
  step: Step | undefined
  fill: (() => unknown) | undefined
}

function toFields({ shape }: Situation, rules: KeyRules, maker: StepMaker): Field[] {
  const schemas = new Map<string, Subschema[]>()
  for (const [key, schema] of shape.certain.flatMap((inner) =>
    schemaEntries(inner, 'properties'),
  )) {
    schemas.set(key, [...(schemas.get(key) ?? []), schema])
  }
  const required = new Set(shape.certain.flatMap((schema) => stringsOf(schema, 'required')))
  const fields = [...schemas].map(([key, inner]) => {
    const isRequired = required.has(key)
    // Adding an optional key must not make a valid value invalid.
    const mayFill = isRequired || !(rules.counts || rules.weighed.has(key))
    return {
      key,
      step: maker.makeStep(inner),
      fill: mayFill ? toFill(inner, isRequired, maker) : undefined,
    }
  })
  return fields.filter(({ step, fill }) => step !== undefined || fill !== undefined)
}

function toFill(
  schemas: readonly Subschema[],
  isRequired: boolean,
  maker: StepMaker,
): (() => unknown) | undefined {
  const nullness = joinAll(schemas.map((schema) => findNullness(schema, maker.resolve)))
  const holder = schemas
    .flatMap((schema) => flatten(schema, maker.resolve))
    .find((schema) => Object.hasOwn(schema, 'default'))
  if (nullness === 'named' && (isRequired || holder === undefined)) return () => null
  if (holder === undefined || !maker.appliesDefaults) return undefined
  const value = holder['default']
  if (typeof value !== 'object' || value === null) return () => value
  // `{}` for a key inside itself would expand forever.
  if (isRecursive(schemas, maker.resolve)) return undefined
  return () => structuredClone(value)
}

/** Keys that are not fields: prepared by pattern or by `additionalProperties`, kept, or dropped. */
function toOtherKeys(situation: Situation, rules: KeyRules, maker: StepMaker): Step {
  const { certain } = situation.shape
  const named = new Set(
    certain.flatMap((schema) => schemaEntries(schema, 'properties').map(([key]) => key)),
  )
  const patterns = certain.flatMap((schema) =>
    schemaEntries(schema, 'patternProperties').map(([source, inner]) => ({
      pattern: compilePattern(source),
      step: maker.makeStep([inner]),
    })),
  )
  const additional = maker.makeStep(
    certain.filter(isOpen).map((schema) => (schema['additionalProperties'] ?? true) as Subschema),
  )
  const drops = !rules.opens && isClosedPlace(situation, maker)
  if (!drops && additional === undefined && patterns.length === 0) return (value) => value

  const prepareKey = (key: string, own: unknown, place: { depth: number; effort: Effort }) => {
    const fitting = patterns.filter(({ pattern }) => pattern.test(key))
    if (fitting.length === 0) {
      if (drops && !rules.named.has(key)) return dropped
      return additional ? additional(own, place.depth, place.effort) : own
    }
    return fitting.reduce(
      (value, { step }) => (step ? step(value, place.depth, place.effort) : value),
      own,
    )
  }
  return (value, depth, effort) => {
    const record = value as Readonly<Record<string, unknown>>
    // Created on the first change: nearly every value needs none.
    let changes: Map<string, unknown> | undefined
    for (const key of Object.keys(record)) {
      if (named.has(key)) continue
      const next = prepareKey(key, record[key], { depth: depth + 1, effort })
      if (next !== record[key]) changes = (changes ?? new Map()).set(key, next)
    }
    return changes === undefined ? value : applyChanges(record, changes)
  }
}

const dropped = Symbol('dropped')

function applyChanges(
  record: Readonly<Record<string, unknown>>,
  changes: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const entries = Object.entries(record).map(
    ([key, own]) => [key, changes.has(key) ? changes.get(key) : own] as const,
  )
  // fromEntries defines keys instead of setting them, so `__proto__` stays a key.
  return Object.fromEntries(entries.filter(([, next]) => next !== dropped))
}

/**
 * Closed by a schema that certainly applies, or by every branch of a union that is still undecided.
 */
function isClosedPlace({ shape, choices }: Situation, { resolve }: StepMaker): boolean {
  if (shape.certain.some(isClosed)) return true
  const undecided = choices.filter(({ index }) => index < 0)
  return undecided.some(({ union }) => {
    const branches = union.filter((branch) => glance(branch, resolve).types.includes('object'))
    return (
      branches.length > 0 && branches.every((branch) => flatten(branch, resolve).some(isClosed))
    )
  })
}

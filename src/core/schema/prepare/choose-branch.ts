import {
  type Branch,
  fitsGlance,
  flatten,
  type Glance,
  glance,
  mayFit,
  toBranch,
} from '../document/branch.ts'
import { isRecord, ownValue } from '../../kernel/json/json-type.ts'
import { schemaEntries, stringsOf, type Subschema } from '../document/keywords.ts'
import type { ResolveRef } from '../document/resolve-ref.ts'
import { findNullness } from './nullness.ts'
import type { Choice } from './shape.ts'

/** Picks the only branch of a union that a value can match. */
export type ChooseBranch = (value: unknown) => Choice

interface Candidate extends Branch {
  /** The cheap facts of every key the branch knows. */
  readonly fields: readonly (readonly [string, Glance])[]
  /** Required keys that nothing fills in. */
  readonly needs: readonly string[]
}

/**
 * Rules branches out by what is certain: types, fixed values, then missing keys. If more than one
 * is left none is chosen, so that a value that matches one is never changed towards another.
 */
export function toChooser(union: readonly Subschema[], resolve: ResolveRef): ChooseBranch {
  const candidates = union.map((schema) => toCandidate(schema, resolve))
  return (value) => {
    const fitting = candidates.filter(
      (candidate) => mayFit(candidate, value) && fitsFields(candidate, value),
    )
    const [first, second] = fitting
    if (first && !second) return { union, index: candidates.indexOf(first), byNeed: false }
    const served = fitting.filter((candidate) => hasNeeds(candidate, value))
    const [only, other] = served
    if (only && !other) return { union, index: candidates.indexOf(only), byNeed: true }
    return { union, index: -1, byNeed: false }
  }
}

function toCandidate(schema: Subschema, resolve: ResolveRef): Candidate {
  const certain = flatten(schema, resolve)
  const properties = certain.flatMap((conjunct) => schemaEntries(conjunct, 'properties'))
  const filled = properties.filter(
    ([, inner]) =>
      findNullness(inner, resolve) === 'named' ||
      flatten(inner, resolve).some((conjunct) => Object.hasOwn(conjunct, 'default')),
  )
  const filledKeys = new Set(filled.map(([key]) => key))
  return {
    ...toBranch(schema, resolve),
    fields: properties.map(([key, inner]) => [key, glance(inner, resolve)] as const),
    needs: certain
      .flatMap((conjunct) => stringsOf(conjunct, 'required'))
      .filter((key) => !filledKeys.has(key)),
  }
}

function fitsFields(candidate: Candidate, value: unknown): boolean {
  if (!isRecord(value)) return true
  return candidate.fields.every(([key, field]) => {
    const own = ownValue(value, key)
    return own === undefined || fitsGlance(field, own)
  })
}

function hasNeeds(candidate: Candidate, value: unknown): boolean {
  if (!isRecord(value)) return true
  return candidate.needs.every((key) => ownValue(value, key) !== undefined)
}

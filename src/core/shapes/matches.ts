import { isDeepEqual } from '../kernel/json/deep-equal.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { Comparison, Condition, ConditionOperator } from './condition.ts'
import { parsePath } from './reference.ts'
import { followReference, type ReferenceRoots, resolveReferences } from './resolve-references.ts'
import { isStorableText } from './storable.ts'

/** True if the condition holds; references in its values are filled in from the same roots. */
export function matches(condition: Condition, roots: ReferenceRoots): boolean {
  if ('all' in condition) return condition.all.every((inner) => matches(inner, roots))
  if ('any' in condition) return condition.any.some((inner) => matches(inner, roots))
  if ('not' in condition) return !matches(condition.not, roots)
  return compare(condition, roots)
}

/** Texts by code point, as the database orders them; by code unit, emoji would come too early. */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  let at = 0
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1
  if (at === length) return left.length - right.length
  return toRank(left.charCodeAt(at)) - toRank(right.charCodeAt(at))
}

/** Surrogates stand for code points above all others. */
function toRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function compare({ field, operator, value }: Comparison, roots: ReferenceRoots): boolean {
  const path = parsePath(field)
  const found = path && followReference(path, roots)
  const wanted = value === undefined ? undefined : resolveReferences(value, roots)
  return isTrueOf(operator, found, wanted)
}

/** One comparison of two values; undefined is missing. */
export function isTrueOf(
  operator: ConditionOperator,
  found: JsonValue | undefined,
  wanted: JsonValue | undefined,
): boolean {
  return tests[operator](found, wanted)
}

type Test = (found: JsonValue | undefined, wanted: JsonValue | undefined) => boolean

const isEqual: Test = (found, wanted) => isDeepEqual(found ?? null, wanted ?? null)

const tests: Readonly<Record<ConditionOperator, Test>> = {
  eq: isEqual,
  neq: (found, wanted) => !isEqual(found, wanted),
  gt: (found, wanted) => order(found, wanted) > 0,
  lt: (found, wanted) => order(found, wanted) < 0,
  gte: (found, wanted) => order(found, wanted) >= 0,
  lte: (found, wanted) => order(found, wanted) <= 0,
  in: (found, wanted) => Array.isArray(wanted) && wanted.some((item) => isEqual(found, item)),
  contains: (found, wanted = null) => {
    if (Array.isArray(found)) return found.some((item) => isEqual(item, wanted))
    return isWholeText(found) && isWholeText(wanted) && found.includes(wanted)
  },
  exists: (found, wanted) => (found !== undefined) === (wanted !== false),
}

/** NaN, which compares as false, for values without a common order. */
function order(left: JsonValue | undefined, right: JsonValue | undefined): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (isWholeText(left) && isWholeText(right)) return compareTexts(left, right)
  return NaN
}

/** Texts that no database can hold only equal themselves, so that SQL can answer the same. */
function isWholeText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && isStorableText(value)
}

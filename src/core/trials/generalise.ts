import { isRecord } from '../kernel/json/json-type.ts'
import { isDeepEqual } from '../kernel/json/deep-equal.ts'
import type { JsonValue } from '../kernel/json.ts'
import { isRedacted } from '../secrets/is-redacted.ts'
import { matchPattern, moreItems } from './match-pattern.ts'

/** Deeper parts of an output are accepted as they come. */
const maxDepth = 8

/**
 * A pattern for outputs like this one: values that vary from call to call become types; booleans, null
 * and short words, which mostly are states, are kept.
 */
export function generalise(value: JsonValue, depth = 0): JsonValue {
  if (depth >= maxDepth) return '<any>'
  if (typeof value === 'string') return generaliseText(value)
  if (typeof value === 'number') return Number.isInteger(value) ? '<integer>' : '<number>'
  if (Array.isArray(value)) return generaliseList(value, depth)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, generalise(member, depth + 1)]),
  )
}

/** A word such as `open` or `in_progress`. */
const state = /^[a-z][a-z_-]{0,23}$/

function generaliseText(text: string): string {
  if (isRedacted(text)) return '<string>'
  if (state.test(text)) return text
  const type = ['<date>', '<url>', '<uuid>'].find((name) => matchPattern(name, text).length === 0)
  return type ?? '<string>'
}

/** One item stands for all, if all are like it. */
function generaliseList(items: readonly JsonValue[], depth: number): JsonValue {
  const [first, ...rest] = items.map((item) => generalise(item, depth + 1))
  if (first === undefined) return '<array>'
  return rest.every((item) => isDeepEqual(item, first)) ? [first, moreItems] : '<array>'
}

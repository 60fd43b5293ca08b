import type { JsonValue } from '../../api/json.ts'

/** One place where two values differ. Without `before` it was added, without `after` taken away. */
export interface Change {
  /** A JSON pointer; empty for the whole. */
  pointer: string
  before?: JsonValue
  after?: JsonValue
}

/** Where an edited input differs from what was asked for: by field, lists by their items. */
export function difference(before: JsonValue, after: JsonValue, pointer = ''): Change[] {
  if (isSame(before, after)) return []
  if (isParts(before) && isParts(after) && Array.isArray(before) === Array.isArray(after)) {
    const left = new Map(Object.entries(before))
    const right = new Map(Object.entries(after))
    return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
      changeAt(`${pointer}/${toToken(key)}`, left.get(key), right.get(key)),
    )
  }
  return [{ pointer, before, after }]
}

function changeAt(
  pointer: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Change[] {
  if (before === undefined && after === undefined) return []
  if (before === undefined) return [{ pointer, after: after ?? null }]
  if (after === undefined) return [{ pointer, before }]
  return difference(before, after, pointer)
}

/** Whether two values say the same; the order of keys does not matter. */
export function isSame(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true
  if (!isParts(left) || !isParts(right) || Array.isArray(left) !== Array.isArray(right))
    return false
  const ours = new Map(Object.entries(left))
  const theirs = new Map(Object.entries(right))
  return (
    ours.size === theirs.size &&
    [...ours].every(([key, value]) => {
      const other = theirs.get(key)
      return other !== undefined && isSame(value, other)
    })
  )
}

function isParts(value: JsonValue): value is JsonValue[] | { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null
}

function toToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** A pointer as people read it: `lines › 2 › amount`. */
export function sayPointer(pointer: string): string {
  if (pointer === '') return 'All arguments'
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((token) => (/^\d+$/.test(token) ? String(Number(token) + 1) : token))
    .join(' › ')
}

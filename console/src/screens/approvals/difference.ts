import type { JsonValue } from '../../api/json.ts'

/** One difference between two values. */
export interface Change {
  /** A JSON pointer, empty for the root. Added and removed items have the pointer of their list. */
  pointer: string
  kind: 'changed' | 'added' | 'removed' | 'moved'
  before?: JsonValue
  after?: JsonValue
}

/** How an edited input differs from the requested one: by field, and lists by their items. */
export function difference(before: JsonValue, after: JsonValue, pointer = ''): Change[] {
  if (isSame(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) return listDifference(before, after, pointer)
  if (isObject(before) && isObject(after)) {
    const left = new Map(Object.entries(before))
    const right = new Map(Object.entries(after))
    return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
      changeAt(`${pointer}/${toToken(key)}`, left.get(key), right.get(key)),
    )
  }
  return [{ pointer, kind: 'changed', before, after }]
}

function changeAt(
  pointer: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Change[] {
  if (before === undefined && after === undefined) return []
  if (before === undefined) return [{ pointer, kind: 'added', after: after ?? null }]
  if (after === undefined) return [{ pointer, kind: 'removed', before }]
  return difference(before, after, pointer)
}

/**
 * Items removed from and added to a list, whatever their index. Objects that only one of the lists contains
 * count as the same item, edited, if both lists have the same number of them.
 */
function listDifference(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  pointer: string,
): Change[] {
  const came = after.map((item, index) => ({ item, index }))
  const left = before.filter((item) => {
    const at = came.findIndex((one) => isSame(one.item, item))
    if (at >= 0) came.splice(at, 1)
    return at < 0
  })
  if (left.length === 0 && came.length === 0) {
    return [{ pointer, kind: 'moved', before: [...before], after: [...after] }]
  }
  const isEdit =
    left.length === came.length && left.every(isParts) && came.every(({ item }) => isParts(item))
  if (isEdit) {
    return came.flatMap(({ item, index }, at) =>
      difference(left[at] ?? null, item, `${pointer}/${index}`),
    )
  }
  return [
    ...left.map((item): Change => ({ pointer, kind: 'removed', before: item })),
    ...came.map(({ item }): Change => ({ pointer, kind: 'added', after: item })),
  ]
}

/** Whether two values are equal; the order of keys does not matter. */
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

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return isParts(value) && !Array.isArray(value)
}

function isParts(value: JsonValue): value is JsonValue[] | { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null
}

function toToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

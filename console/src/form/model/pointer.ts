import type { JsonValue } from '../../api/json.ts'
import { isRecord } from './schema.ts'

/** The value at a place, or none. */
export type Maybe = JsonValue | undefined

/** The JSON pointer of a child. */
export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Whether `inner` is the place itself or below it. */
export function isWithin(inner: string, pointer: string): boolean {
  return inner === pointer || inner.startsWith(`${pointer}/`)
}

export function childOf(value: Maybe, key: string): Maybe {
  if (Array.isArray(value)) return value[Number(key)]
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/**
 * The value with one place changed; nothing is changed in place. A value that becomes undefined is removed
 * from its object; a list keeps the place as null.
 */
export function changeAt(
  value: Maybe,
  parts: readonly string[],
  change: (before: Maybe) => Maybe,
): Maybe {
  const [head, ...rest] = parts
  if (head === undefined) return change(value)
  const before = childOf(value, head)
  const after = changeAt(before, rest, change)
  if (after === before && before !== undefined) return value
  if (Array.isArray(value)) return value.with(Number(head), after ?? null)
  const object = isRecord(value) ? value : {}
  if (after !== undefined) return { ...object, [head]: after }
  const { [head]: _, ...others } = object
  return others
}

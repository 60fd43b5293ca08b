import { pointerStep } from '../kernel/json/json-pointer.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { isDeepEqual } from '../kernel/json/deep-equal.ts'
import type { JsonValue } from '../kernel/json.ts'

/** A place where a value does not match its pattern. */
export interface Mismatch {
  path: string
  message: string
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The types that a pattern can name in place of a value, as `<string>`. */
const types: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  any: () => true,
  string: isText,
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isRecord,
  date: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}/.test(value) && !isNaN(Date.parse(value)),
  url: (value) => isText(value) && URL.canParse(value),
  uuid: (value) => isText(value) && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
}

/** At the end of a list: any number of further items, each like the one before it. */
export const moreItems = '<more>'

const maxMismatches = 20

/**
 * Compares a value with a pattern. Of an object only the keys in the pattern are compared, a list item
 * by item; `<string>`, `<number>`, `<integer>`, `<boolean>`, `<array>`, `<object>`, `<date>`, `<url>`,
 * `<uuid>` and `<any>` stand for any value of that type, and `\<string>` for the text itself. Returns
 * the places that differ.
 */
export function matchPattern(pattern: JsonValue, value: JsonValue | undefined): Mismatch[] {
  const found: Mismatch[] = []
  compare(pattern, value, { path: '', found })
  return found
}

/** The problems of a pattern: types that do not exist. */
export function findPatternIssues(pattern: JsonValue, path: string): Mismatch[] {
  if (typeof pattern === 'string') {
    const named = /^<([a-z]+)>$/.exec(pattern)?.[1]
    if (named === undefined || Object.hasOwn(types, named) || pattern === moreItems) return []
    const known = Object.keys(types).map((type) => `<${type}>`)
    const message = `names the type ${pattern}; there are ${known.join(', ')}`
    return [{ path, message }]
  }
  if (typeof pattern !== 'object' || pattern === null) return []
  const members: [string | number, JsonValue][] = Array.isArray(pattern)
    ? pattern.map((item, index) => [index, item])
    : Object.entries(pattern)
  return members.flatMap(([key, member]) => findPatternIssues(member, pointerStep(path, key)))
}

interface Comparing {
  path: string
  found: Mismatch[]
}

function compare(pattern: JsonValue, value: JsonValue | undefined, at: Comparing): void {
  if (at.found.length >= maxMismatches) return
  if (value === undefined) return note(at, 'is missing')
  if (typeof pattern === 'string') return compareText(pattern, value, at)
  if (Array.isArray(pattern)) return compareLists(pattern, value, at)
  if (isRecord(pattern)) return compareObjects(pattern, value, at)
  if (!isDeepEqual(pattern, value)) note(at, `is ${show(value)}, not ${show(pattern)}`)
}

type JsonObject = { [key: string]: JsonValue }

function compareText(pattern: string, value: JsonValue, at: Comparing): void {
  const type = /^<([a-z]+)>$/.exec(pattern)?.[1] ?? ''
  if (Object.hasOwn(types, type)) {
    if (types[type]?.(value) !== true) note(at, `is ${show(value)}, not ${pattern}`)
    return
  }
  const literal = pattern.startsWith('\\<') ? pattern.slice(1) : pattern
  if (literal !== value) note(at, `is ${show(value)}, not ${show(literal)}`)
}

function compareLists(pattern: readonly JsonValue[], value: JsonValue, at: Comparing): void {
  if (!Array.isArray(value)) return note(at, `is ${show(value)}, not a list`)
  const hasMore = pattern.at(-1) === moreItems
  const items = hasMore ? pattern.slice(0, -1) : pattern
  const last = items.at(-1)
  // The repeated item itself is one of "any number".
  const least = hasMore ? Math.max(0, items.length - 1) : items.length
  if (value.length < least || (!hasMore && value.length > least)) {
    note(at, `has ${value.length} items, not ${hasMore ? 'at least ' : ''}${least}`)
  }
  for (const [index, item] of value.entries()) {
    const expected = index < items.length ? items[index] : hasMore ? last : undefined
    if (expected === undefined) continue
    compare(expected, item, { ...at, path: pointerStep(at.path, index) })
  }
}

function compareObjects(pattern: JsonObject, value: JsonValue, at: Comparing): void {
  if (!isRecord(value)) return note(at, `is ${show(value)}, not an object`)
  for (const [key, expected] of Object.entries(pattern)) {
    const member = Object.hasOwn(value, key) ? (value[key] as JsonValue) : undefined
    compare(expected, member, { ...at, path: pointerStep(at.path, key) })
  }
}

function note({ path, found }: Comparing, message: string): void {
  found.push({ path, message })
}

const maxShownChars = 80

function show(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length <= maxShownChars ? text : `${text.slice(0, maxShownChars)}…`
}

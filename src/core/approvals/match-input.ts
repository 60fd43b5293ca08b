import type { JsonValue } from '../kernel/json.ts'
import { compileGlob } from '../kernel/text/glob.ts'
import { isDeepEqual } from '../kernel/json/deep-equal.ts'
import type { RememberedInput } from './approval.ts'

/** Whether an input is like the one that was said yes to. */
export function matchesInput(remembered: RememberedInput, input: JsonValue): boolean {
  if (remembered.kind === 'any') return true
  if (remembered.kind === 'same') return isDeepEqual(remembered.input, input)
  return matchesPattern(remembered.pattern, input)
}

/**
 * Objects match by the fields that the pattern names, lists item by item, texts with `*` for any
 * characters; everything else must be equal. What the pattern names must be there.
 */
export function matchesPattern(pattern: JsonValue, value: JsonValue | undefined): boolean {
  if (value === undefined) return false
  if (typeof pattern === 'string') return typeof value === 'string' && compileGlob(pattern)(value)
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length) return false
    return pattern.every((part, index) => matchesPattern(part, value[index]))
  }
  if (!isObject(pattern)) return pattern === value
  if (!isObject(value)) return false
  return Object.entries(pattern).every(
    ([key, part]) => Object.hasOwn(value, key) && matchesPattern(part, value[key]),
  )
}

/** Whether the pattern rules anything out beyond the shape: a text of stars alone does not. */
export function isBounded(pattern: JsonValue): boolean {
  if (typeof pattern === 'string') return !/^\*+$/.test(pattern)
  if (Array.isArray(pattern)) return pattern.some(isBounded)
  if (isObject(pattern)) return Object.values(pattern).some(isBounded)
  return true
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

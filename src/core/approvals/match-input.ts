import type { JsonValue } from '../kernel/json.ts'
import { compileGlob } from '../kernel/text/glob.ts'
import { isDeepEqual } from '../kernel/json/deep-equal.ts'
import type { RememberedInput } from './approval.ts'

/** True if an input is like the approved one. */
export function matchesInput(remembered: RememberedInput, input: JsonValue): boolean {
  if (remembered.kind === 'any') return true
  if (remembered.kind === 'same') return isDeepEqual(remembered.input, input)
  return matchesPattern(remembered.pattern, input)
}

/**
 * Objects match by the fields in the pattern, lists item by item, texts with `*` for any
 * characters; everything else must be equal. Every field in the pattern must be present.
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

/** True if the pattern restricts more than the shape: texts of only stars do not. */
export function isBounded(pattern: JsonValue): boolean {
  if (typeof pattern === 'string') return !/^\*+$/.test(pattern)
  if (Array.isArray(pattern)) return pattern.some(isBounded)
  if (isObject(pattern)) return Object.values(pattern).some(isBounded)
  return true
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

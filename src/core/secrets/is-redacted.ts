import { pointerStep } from '../kernel/json/json-pointer.ts'
import type { JsonValue } from '../kernel/tool.ts'

/**
 * True if something was removed from this value: it may be displayed, but must not be used as the
 * original. A text that only looks redacted counts too; asking again costs little.
 */
export function isRedacted(value: JsonValue): boolean {
  return /[[(](?:redacted|hidden)/.test(JSON.stringify(value))
}

/** True if a value is only the placeholder of a hidden one. */
export function isMark(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^[[(](?:redacted|hidden)(?::[^\])]*)?[\])]$/.test(value)
}

/** The places of an input where a value is hidden, as JSON pointers. */
export function listMarks(value: JsonValue, path = ''): string[] {
  if (typeof value === 'string') return isRedacted(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => listMarks(part, pointerStep(path, key)))
}

import { pointerStep } from '../kernel/json/json-pointer.ts'
import type { JsonValue } from '../kernel/tool.ts'

/**
 * Whether something was taken out of this value: it shows what happened, but must not be used as if
 * it were what was said. A text that only looks like it counts too; asking again costs little.
 */
export function isRedacted(value: JsonValue): boolean {
  return /[[(](?:redacted|hidden)/.test(JSON.stringify(value))
}

/** Whether a value is nothing but the mark of a hidden one. */
export function isMark(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^[[(](?:redacted|hidden)(?::[^\])]*)?[\])]$/.test(value)
}

/** The places of an input at which something is hidden, as JSON pointers. */
export function listMarks(value: JsonValue, path = ''): string[] {
  if (typeof value === 'string') return isRedacted(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => listMarks(part, pointerStep(path, key)))
}

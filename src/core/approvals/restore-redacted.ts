import type { JsonValue } from '../kernel/json.ts'
import { isDeepEqual } from '../kernel/json/deep-equal.ts'

/**
 * An edited input with its secrets restored: where a field still has the value that was shown, the
 * original value is used. Someone who edits one field does not know the secrets in the others.
 */
export function restoreRedacted(edited: JsonValue, shown: JsonValue, raw: JsonValue): JsonValue {
  if (isDeepEqual(edited, shown)) return raw
  if (Array.isArray(edited) && Array.isArray(shown) && Array.isArray(raw)) {
    return edited.map((part, index) => restorePart(part, shown[index], raw[index]))
  }
  if (!isObject(edited) || !isObject(shown) || !isObject(raw)) return edited
  return Object.fromEntries(
    Object.entries(edited).map(([key, part]) => [
      key,
      restorePart(part, own(shown, key), own(raw, key)),
    ]),
  )
}

function restorePart(
  edited: JsonValue,
  shown: JsonValue | undefined,
  raw: JsonValue | undefined,
): JsonValue {
  if (shown === undefined || raw === undefined) return edited
  return restoreRedacted(edited, shown, raw)
}

function own(value: { [key: string]: JsonValue }, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { JsonValue } from '../kernel/json.ts'
import { isRecord } from '../kernel/json/json-type.ts'

/** False for texts that no jsonb can hold: with U+0000 or half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** True for JSON that a jsonb column can hold. */
export function isStorable(value: JsonValue): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (Array.isArray(value)) return value.every(isStorable)
  if (!isRecord(value)) return true
  return Object.entries(value).every(([key, member]) => isStorableText(key) && isStorable(member))
}

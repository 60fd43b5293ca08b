import type { JsonValue } from '../../../api/json.ts'

/** A value as it is typed: text stays itself, everything else is JSON. */
export function readFieldText(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * A typed text as a value: for a field of text it stays text; for others it becomes the number, list or
 * object that it is written as. Empty text is undefined.
 */
export function writeFieldText(text: string, type: JsonValue | undefined): JsonValue | undefined {
  if (text === '') return undefined
  if (type === 'string') return text
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}

/** The maximum length of a name, an id or a cursor. */
export const maxShortChars = 200

// Control characters are never part of a name, and a NUL would reach the database as a broken
// string.
const printable = /^[^\p{Cc}\p{Cs}]*$/u

/** True for a text without control characters and lone surrogates. */
export function isPrintable(text: string): boolean {
  return printable.test(text)
}

/** True for a valid name or id. */
export function isShortText(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0) return false
  return value.length <= maxShortChars && isPrintable(value)
}

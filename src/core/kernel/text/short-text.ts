/** So long a name, an id or a cursor may be. */
export const maxShortChars = 200

// Control characters never name anything, and a NUL would reach the database as a broken string.
const printable = /^[^\p{Cc}\p{Cs}]*$/u

/** True for a text without characters that name nothing. */
export function isPrintable(text: string): boolean {
  return printable.test(text)
}

/** True for a text that can be a name or an id. */
export function isShortText(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0) return false
  return value.length <= maxShortChars && isPrintable(value)
}

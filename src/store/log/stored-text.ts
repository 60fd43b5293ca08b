import { ToolError } from '../../core/kernel/errors.ts'

const nullByte = String.fromCharCode(0)

/**
 * Text as a column can hold it: PostgreSQL has no U+0000 and UTF-8 no lone surrogates, so both become
 * U+FFFD, here and not on the way, so that what is sealed is what will be read. For names and ids;
 * JSON needs none of it, since JSON.stringify writes both as escapes and they come back as they were.
 */
export function toStoredText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes(nullByte) ? whole.replaceAll(nullByte, '\uFFFD') : whole
}

/** The same for a column that may be empty. */
export function toStoredTextOrNull(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text)
}

/** A value as JSON text; values that JSON cannot express (undefined) become null. */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    throw new ToolError('record_failed', `A value can't be stored as JSON: ${String(error)}`, {
      retryable: false,
      cause: error,
    })
  }
}

/** Milliseconds that a bigint column and a Date both take, whatever came in. */
export function toStoredMs(ms: number): number {
  if (!Number.isFinite(ms)) return 0
  return Math.min(Math.max(0, Math.trunc(ms)), 8_640_000_000_000_000)
}

/** The same for a column that may be empty. */
export function toStoredMsOrNull(ms: number | undefined): number | null {
  return ms === undefined ? null : toStoredMs(ms)
}

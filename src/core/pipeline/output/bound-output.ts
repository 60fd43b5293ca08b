import { isContentOutput } from '../../kernel/content.ts'
import type { JsonValue } from '../../kernel/tool.ts'
import { boundContent, hiddenNotice } from './bound-content.ts'
import { cutJsonText, utf8Length } from '../../kernel/text/utf8.ts'

/** An output within its limit; if it was cut, also the full text for the artifact. */
export interface BoundedOutput {
  output: JsonValue
  full?: { text: string; mediaType: string; bytes: number }
}

/** Lower limits are raised to this: the notice of what is hidden needs some space itself. */
export const minOutputBytes = 256

/**
 * Cuts an output to a limit in UTF-8 bytes of its JSON text. A text stays a text whose last line
 * gives the size of the hidden part, and rich output stays rich; anything else becomes a preview of
 * its JSON text with the figures beside it.
 */
export function boundOutput(value: JsonValue, maxBytes: number): BoundedOutput {
  const limit = Math.max(maxBytes, minOutputBytes)
  if (typeof value === 'string') return boundText(value, limit)
  const text = JSON.stringify(value)
  // No character takes more than three bytes (a surrogate pair takes four), so most texts are never
  // counted.
  if (text.length * 3 <= limit) return { output: value }
  const bytes = utf8Length(text)
  if (bytes <= limit) return { output: value }
  const full = { text, mediaType: 'application/json', bytes }
  const rich: unknown = value
  const output = isContentOutput(rich)
    ? (boundContent(rich, bytes, limit) as unknown as JsonValue)
    : toPreview(text, bytes, limit)
  return { output, full }
}

function boundText(text: string, limit: number): BoundedOutput {
  // Six bytes is the longest escape of one character in JSON; two are the quotes.
  if (text.length * 6 + 2 <= limit) return { output: text }
  if (text.length <= limit && utf8Length(JSON.stringify(text)) <= limit) return { output: text }
  const bytes = utf8Length(text)
  // Uses the largest figure possible, so that the notice never exceeds its space.
  const room = limit - utf8Length(JSON.stringify(toNotice(bytes)))
  const shown = cutJsonText(text, room)
  return {
    output: `${shown}${toNotice(bytes - utf8Length(shown))}`,
    full: { text, mediaType: 'text/plain; charset=utf-8', bytes },
  }
}

function toNotice(hiddenBytes: number): string {
  return `\n${hiddenNotice(hiddenBytes)}`
}

function toPreview(text: string, totalBytes: number, limit: number): JsonValue {
  const figures = { shownBytes: totalBytes, totalBytes, hiddenBytes: totalBytes }
  const frame = JSON.stringify({ truncated: true, preview: '', ...figures })
  const preview = cutJsonText(text, limit - frame.length)
  const shownBytes = utf8Length(preview)
  return { truncated: true, preview, shownBytes, totalBytes, hiddenBytes: totalBytes - shownBytes }
}

import { stripVTControlCharacters } from 'node:util'

// Control characters, and the marks that reorder what a reader sees.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * Makes text from tools, events and files harmless for a terminal: colour sequences are dropped and
 * other control characters are shown as escapes, so that no output can move the cursor, set the
 * title, answer for the user or hide its contents.
 */
export function toSafeText(text: string): string {
  return stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replace(unsafe, toEscape)
}

/** The same on one line, for table cells and event lines. */
export function toSafeLine(text: string): string {
  return toSafeText(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ')
}

function toEscape(character: string): string {
  if (character === '\n' || character === '\t') return character
  const code = character.charCodeAt(0)
  return code > 0xff
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\x${code.toString(16).padStart(2, '0')}`
}

// Formats, joiners, fillers, variation selectors and tags; control characters have their escapes.
const hidden = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** Untrusted text with every invisible character spelled out, as `⟨U+200B⟩`. */
export function showHidden(text: string): string {
  return text.replace(hidden, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `⟨U+${code}⟩`
  })
}

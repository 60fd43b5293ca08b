/**
 * Characters that change how text reads without being seen: overrides of the direction, blanks without
 * width, and tags (which hide whole sentences), unless they belong to a flag. Joiners of letters and emoji
 * stay.
 */
const unseen =
  /[\u200B\u2060-\u2064\u202A-\u202E\u2066-\u2069\uFEFF\u00AD\u180E\uFFF9-\uFFFB]|(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]*)[\u{E0000}-\u{E007F}]/gu
/** Control characters but tab and the ends of lines. */
const controls = /(?![\t\n\r])\p{Cc}/gu

/** Text of a stranger with everything in it that hides itself made visible, as `⟨U+202E⟩`. */
export function toSafeText(text: string): string {
  return text.replace(unseen, name).replace(controls, name)
}

/** The same on one line, for labels. */
export function toSafeLine(text: string): string {
  return toSafeText(text).replaceAll(/\s+/g, ' ').trim()
}

function name(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `⟨U+${code}⟩`
}

/** An address that may be a link: http, https or mailto; with nothing in it that hides. */
export function toSafeAddress(text: string): string | undefined {
  if (text.length > 4096 || toSafeText(text) !== text) return undefined
  if (!/^(?:https?:\/\/|mailto:)[^\s]+$/i.test(text)) return undefined
  try {
    const { protocol, href } = new URL(text)
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined
  } catch {
    return undefined
  }
}

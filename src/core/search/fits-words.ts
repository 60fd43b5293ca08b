/**
 * True if every word of a query occurs in these texts, ignoring case; an empty query matches
 * everything.
 */
export function fitsWords(
  question: string | undefined,
  texts: readonly (string | undefined)[],
): boolean {
  const words = toWords(question)
  if (words.length === 0) return true
  const text = toPlain(texts.filter((one) => one !== undefined).join(' '))
  return words.every((word) => text.includes(word))
}

/** The words of a query in normalised form. */
export function toWords(question: string | undefined): string[] {
  return toPlain(question ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Normalises letters that look the same but are composed differently. */
function toPlain(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

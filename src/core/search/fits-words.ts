/** Every word of a question is somewhere in these texts, in whatever case; no words fit everything. */
export function fitsWords(
  question: string | undefined,
  texts: readonly (string | undefined)[],
): boolean {
  const words = toWords(question)
  if (words.length === 0) return true
  const text = toPlain(texts.filter((one) => one !== undefined).join(' '))
  return words.every((word) => text.includes(word))
}

/** The words of a question as they are looked for. */
export function toWords(question: string | undefined): string[] {
  return toPlain(question ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** What looks the same is the same, however its letters were composed. */
function toPlain(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/**
 * Characters that nobody sees and that can carry other text or turn it around: zero-width spaces,
 * direction overrides, tags, variation selectors. Joiners stay, since some scripts are not written
 * without them, and so do the selectors of emoji.
 */
const unseen = /(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}/gu
const controls = /(?!\t|\n|\r)\p{Cc}/gu

/** Text as people see it. */
export function cleanText(text: string): string {
  return text.replaceAll(unseen, '').replaceAll(controls, '')
}

/** Text inside of HTML again. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

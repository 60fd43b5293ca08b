/**
 * Characters that nobody sees and that can carry other text or turn it around: zero-width spaces,
 * direction overrides, tags, variation selectors beyond those of emoji. Joiners stay, since some
 * scripts are not written without them.
 */
const unseen =
  // oxlint-disable-next-line no-misleading-character-class -- it lists them one by one
  /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0D\uFEFF\u{E0000}-\u{E0FFF}]/gu
// oxlint-disable-next-line no-control-regex -- they are what is removed
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g

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

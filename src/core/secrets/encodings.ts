const encoder = new TextEncoder()

/** Shorter values would match everywhere, and are not worth hiding. */
export const minSecretLength = 4
/** For longer values every additional form costs memory that a caller could exploit. */
const maxEscapedLength = 8192

/**
 * Every form in which a secret may appear in a text: raw, JSON-escaped once and twice, URL- and
 * form-encoded, HTML-escaped, reversed, in hex and in base64. Without forms that are too short to
 * search for.
 */
export function toEncodings(secret: string): string[] {
  // A lone surrogate never survives encoding; its replacement is searched for.
  const value = secret.toWellFormed()
  const forms = new Set<string>()
  // A key read from a file ends with a line break that its users trim.
  for (const text of new Set([value, value.trim()])) {
    if (text.length < minSecretLength) continue
    const bytes = encoder.encode(text)
    const escaped = toEscapedForms(text)
    for (const form of [text, ...escaped, ...toHexForms(bytes), ...toBase64Forms(bytes)]) {
      if (form.length >= minSecretLength) forms.add(form)
    }
  }
  return [...forms]
}

function toEscapedForms(text: string): string[] {
  if (text.length > maxEscapedLength) return [escapeJson(text)]
  const reversed = Array.from(text).toReversed().join('')
  // Letters, digits, dots, dashes and underscores look the same in every escaping.
  if (/^[\w.-]+$/.test(text)) return [reversed]
  return [reversed, ...toJsonForms(text), ...toUrlForms(text), ...toHtmlForms(text)]
}

/** Escaped once and twice; some encoders also escape slashes, or all non-ASCII characters. */
function toJsonForms(text: string): string[] {
  const once = escapeJson(text)
  const twice = escapeJson(once)
  const lower = once.replaceAll(/[^\0-\x7f]/g, toUnicodeEscape)
  const upper = lower.replaceAll(
    /\\u[0-9a-f]{4}/g,
    (escape) => `\\u${escape.slice(2).toUpperCase()}`,
  )
  const slashes = once.replaceAll('/', '\\/')
  const variants = [lower, upper, slashes]
  return [once, twice, ...variants, ...variants.map(escapeJson)]
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function toUnicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Encoders differ in the characters they leave alone, in how they write a space, and in the case of
 * the digits.
 */
function toUrlForms(text: string): string[] {
  const component = encodeURIComponent(text)
  const strict = component.replaceAll(/[!'()*]/g, toPercent)
  const form = strict.replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E')
  const all = [component, strict, form, encodeURI(text), component.replaceAll('%20', '+')]
  return all.flatMap((one) => [
    one,
    one.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
  ])
}

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function toHtmlForms(text: string): string[] {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return ['"', '&quot;', '&#34;'].flatMap((quote) =>
    ["'", '&#39;', '&#x27;', '&apos;'].map((apostrophe) =>
      escaped.replaceAll('"', quote).replaceAll("'", apostrophe),
    ),
  )
}

function toHexForms(bytes: Uint8Array): string[] {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex, hex.toUpperCase()]
}

/**
 * Base64 of the bytes at each of their three possible offsets in a longer stream. A character that
 * shares bits with a neighbouring byte can't be known; if the secret ends the stream, its last
 * character and the padding can, and are removed too.
 */
function toBase64Forms(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = new Uint8Array(offset + bytes.length)
    padded.set(bytes, offset)
    const whole = toBase64(padded).slice(Math.ceil((offset * 8) / 6))
    const bare = whole.replace(/=+$/, '')
    const hasOpenEnd = (padded.length * 8) % 6 !== 0
    const forms = [whole, bare, hasOpenEnd ? bare.slice(0, -1) : bare]
    return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))]
  })
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

import { createKeyScanner } from '../keys/key-scanner.ts'

/** Names whose values are always secrets. */
const secretName =
  /auth|token|secret|passw|credential|cookie|api[-_]?key|access[-_]?key|private[-_]?key/i
/** Tokens with a recognisable format, and JSON web tokens. */
const knownToken =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[a-z]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}|\beyJ[\w-]{10,}\.[\w-]{10,}|\bglpat-[\w-]{16,}|\bAIza[\w-]{30,}/
const longWord = /[A-Za-z0-9+/=_-]{32,}/g

/** True for names of fields whose values are secrets, such as `authorization`. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/** True if the text holds a token of a known format: it is a secret. */
export function holdsKnownToken(text: string): boolean {
  return createKeyScanner()(`${text}\n`).length > 0 || knownToken.test(text)
}

/** True if the text holds a known token, or a long word that looks random. */
export function looksSecret(text: string): boolean {
  return holdsKnownToken(text) || (text.match(longWord) ?? []).some(isRandom)
}

/** Words and paths are repetitive; random values mix upper case, lower case and digits. */
function isRandom(word: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(word)).length
  const isHex = /^[0-9a-f]+$/i.test(word)
  const parts = word.split(/[/_=-]/)
  const hasLongPart = parts.some((part) => part.length >= 20)
  return hasLongPart && (kinds === 3 || (isHex && /\d/.test(word) && /[a-f]/i.test(word)))
}

import { crc32 } from './crc32.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const apiKeyIdLength = 10
export const apiKeySecretLength = 32
const checksumLength = 7
const form = `crib_([0-9A-Za-z]{${apiKeyIdLength}})_([0-9A-Za-z]{${apiKeySecretLength}})([0-9A-Za-z]{${checksumLength}})`
const whole = new RegExp(`^${form}$`)

/** The length of every token. */
export const apiKeyTokenLength =
  'crib_'.length + apiKeyIdLength + 1 + apiKeySecretLength + checksumLength

/** The two halves of an API key: the id finds it, the secret proves it. */
export interface ApiKeyParts {
  id: string
  secret: string
}

/**
 * Matches anything that looks like a token, anywhere in a text. The checksum decides whether it is
 * one.
 */
export function apiKeyPattern(): RegExp {
  return new RegExp(form, 'g')
}

/** The token as shown once: `crib_<id>_<secret><checksum>`. */
export function formatApiKey({ id, secret }: ApiKeyParts): string {
  return `crib_${id}_${secret}${apiKeyChecksum({ id, secret })}`
}

/** The parts of a token; undefined for anything that this software can't have created. */
export function parseApiKey(token: string): ApiKeyParts | undefined {
  const [, id, secret, checksum] = whole.exec(token) ?? []
  if (id === undefined || secret === undefined) return undefined
  return apiKeyChecksum({ id, secret }) === checksum ? { id, secret } : undefined
}

/**
 * CRC-32 in base 62: lets a scanner distinguish a leaked key from text that looks like one,
 * offline.
 */
export function apiKeyChecksum({ id, secret }: ApiKeyParts): string {
  let rest = crc32(`crib_${id}_${secret}`)
  let digits = ''
  for (let index = 0; index < checksumLength; index++) {
    digits = (alphabet[rest % 62] ?? '') + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/**
 * A text of letters and digits, each equally likely: bytes above the largest multiple of 62 are
 * discarded.
 */
export function toKeyText(length: number, randomBytes: (count: number) => Uint8Array): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

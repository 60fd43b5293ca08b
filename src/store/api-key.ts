import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 10
const secretLength = 32
const checksumLength = 7
const pattern = new RegExp(
  `^crib_([0-9A-Za-z]{${idLength}})_([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`,
)

/** The two halves of an API key: the id finds it, the secret proves it. */
export interface ApiKeyParts {
  id: string
  secret: string
}

/** A fresh key: 59 bits of id, 190 bits of secret. */
export function createApiKeyToken(): ApiKeyParts & { token: string } {
  const parts = { id: randomText(idLength), secret: randomText(secretLength) }
  return { ...parts, token: formatApiKey(parts) }
}

/** The token as it is shown once: `crib_<id>_<secret><checksum>`. */
export function formatApiKey({ id, secret }: ApiKeyParts): string {
  return `crib_${id}_${secret}${apiKeyChecksum({ id, secret })}`
}

/** The parts of a token; undefined for anything that we can't have made. */
export function parseApiKey(token: string): ApiKeyParts | undefined {
  const [, id, secret, checksum] = pattern.exec(token) ?? []
  if (id === undefined || secret === undefined) return undefined
  return apiKeyChecksum({ id, secret }) === checksum ? { id, secret } : undefined
}

/** CRC-32 in base 62: lets a scanner tell a leaked key from text that looks like one, without asking us. */
export function apiKeyChecksum({ id, secret }: ApiKeyParts): string {
  let rest = crc32(`crib_${id}_${secret}`)
  let digits = ''
  for (let index = 0; index < checksumLength; index++) {
    digits = (alphabet[rest % 62] ?? '') + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Every character equally likely: bytes above the largest multiple of 62 are thrown away. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

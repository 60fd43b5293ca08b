import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const format = 1
const ivBytes = 12
const tagBytes = 16
const keyBytes = 32
const cipher = 'aes-256-gcm'

/** The binding of a piece of ciphertext, which opens nowhere else. */
export type Binding = readonly (string | number)[]

export interface Envelope {
  /** The content's own key, sealed under a master key. */
  wrappedKey: Uint8Array
  sealed: Uint8Array
}

/** Seals under a fresh key and that key under the master key, so that a new master key needs no content. */
export function sealEnvelope(
  masterKey: Uint8Array,
  content: Uint8Array,
  binding: Binding,
): Envelope {
  const key = randomBytes(keyBytes)
  return {
    wrappedKey: seal(masterKey, key, ['key', ...binding]),
    sealed: seal(key, content, ['content', ...binding]),
  }
}

/** Throws when anything was changed or moved. */
export function openEnvelope(
  masterKey: Uint8Array,
  envelope: Envelope,
  binding: Binding,
): Uint8Array {
  const key = unseal(masterKey, envelope.wrappedKey, ['key', ...binding])
  return unseal(key, envelope.sealed, ['content', ...binding])
}

/** The content's key, sealed under another master key. */
export function rewrapKey(
  keys: { from: Uint8Array; to: Uint8Array },
  wrappedKey: Uint8Array,
  binding: Binding,
): Uint8Array {
  const key = unseal(keys.from, wrappedKey, ['key', ...binding])
  return seal(keys.to, key, ['key', ...binding])
}

/** AES-256-GCM: format byte, random IV, tag, ciphertext. */
export function seal(key: Uint8Array, content: Uint8Array, binding: Binding): Uint8Array {
  const iv = randomBytes(ivBytes)
  const encrypt = createCipheriv(cipher, key, iv, { authTagLength: tagBytes })
  encrypt.setAAD(toAad(binding))
  const body = Buffer.concat([encrypt.update(content), encrypt.final()])
  return Buffer.concat([Buffer.of(format), iv, encrypt.getAuthTag(), body])
}

/** Throws on any byte that is not as it was sealed, and on another binding. */
export function unseal(key: Uint8Array, sealed: Uint8Array, binding: Binding): Uint8Array {
  const bytes = Buffer.from(sealed)
  if (bytes.length < 1 + ivBytes + tagBytes || bytes[0] !== format) {
    throw new Error('not an envelope of a known format')
  }
  const tagAt = 1 + ivBytes
  // Without the length, Node takes a tag of four bytes for good.
  const decrypt = createDecipheriv(cipher, key, bytes.subarray(1, tagAt), {
    authTagLength: tagBytes,
  })
  decrypt.setAAD(toAad(binding))
  decrypt.setAuthTag(bytes.subarray(tagAt, tagAt + tagBytes))
  return Buffer.concat([decrypt.update(bytes.subarray(tagAt + tagBytes)), decrypt.final()])
}

function toAad(binding: Binding): Uint8Array {
  return Buffer.from(JSON.stringify([format, ...binding]), 'utf8')
}

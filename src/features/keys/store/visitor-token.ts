import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type ApiKeyParts,
  apiKeySecretLength,
  formatApiKey,
} from '../../../core/keys/api-key-token.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Six digits of base 62 count seconds until the year 3769. */
const expiryLength = 6
const signatureLength = apiKeySecretLength - expiryLength

/**
 * The signing key of a visitor's token: another digest of the API key invalidates all of its
 * tokens.
 */
export interface VisitorSigner {
  pepper: Uint8Array
  keyHash: Uint8Array
}

/**
 * A token in the form of a key whose secret is its expiry and a signature. Nothing of it is stored, so a
 * visitor may have any number of them at once, in as many tabs.
 */
export function signVisitorToken(
  { id, untilMs }: { id: string; untilMs: number },
  signer: VisitorSigner,
): string {
  const expiry = toDigits(BigInt(Math.floor(untilMs / 1000)), expiryLength)
  return formatApiKey({ id, secret: expiry + sign(id, expiry, signer) })
}

/** Until when this token is good; undefined when it is not one of ours. */
export function proveVisitorToken(
  { id, secret }: ApiKeyParts,
  signer: VisitorSigner,
): number | undefined {
  const expiry = secret.slice(0, expiryLength)
  const expected = Buffer.from(sign(id, expiry, signer))
  if (!timingSafeEqual(Buffer.from(secret.slice(expiryLength)), expected)) return undefined
  return Number(fromDigits(expiry)) * 1000
}

function sign(id: string, expiry: string, { pepper, keyHash }: VisitorSigner): string {
  const digest = createHmac('sha256', pepper)
    .update(`visitor_${id}_${expiry}_`)
    .update(keyHash)
    .digest('hex')
  return toDigits(BigInt(`0x${digest}`), signatureLength)
}

function toDigits(value: bigint, length: number): string {
  let [rest, digits] = [value, '']
  for (let index = 0; index < length; index++) {
    digits = (alphabet[Number(rest % 62n)] ?? '') + digits
    rest /= 62n
  }
  return digits
}

function fromDigits(digits: string): bigint {
  return [...digits].reduce((value, digit) => value * 62n + BigInt(alphabet.indexOf(digit)), 0n)
}

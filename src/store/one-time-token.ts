import { createHash, randomBytes } from 'node:crypto'

/** A secret nobody can guess: 256 bits, safe in an address and in a cookie. */
export function createSecretToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form. The token is as random as a key, so a plain digest reveals nothing about it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

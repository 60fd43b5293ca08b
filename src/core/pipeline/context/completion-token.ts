import type { Completion } from '../../kernel/call.ts'
import type { WorkPort } from '../ports.ts'

const tokenBytes = 32

/** A new token and address to complete one call from outside. Only the digest is kept. */
export function createCompletion(
  callId: string,
  expiresAt: number,
  desk: Pick<WorkPort, 'completionUrl'>,
): Completion {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(tokenBytes))
  return {
    url: desk.completionUrl(callId),
    token: `done_${toHex(bytes)}`,
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

/** The stored form of a token. Tokens are long and random, so a plain digest is safe. */
export async function hashToken(token: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return toHex(new Uint8Array(digest))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

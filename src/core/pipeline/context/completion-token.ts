import type { Completion } from '../../kernel/call.ts'
import type { WorkPort } from '../ports.ts'

const tokenBytes = 32

/** A fresh way to complete one call from outside. Only its digest is kept. */
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

/** What is stored of a token. It is long and random, so a plain digest gives nothing away. */
export async function hashToken(token: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return toHex(new Uint8Array(digest))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

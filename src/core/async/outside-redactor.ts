import type { StoredCall } from '../call-log.ts'
import { joinSecrets } from '../secrets/join-secrets.ts'
import { createRedactor, type Redactor } from '../secrets/redact.ts'
import { type CallSecrets, readSensitive } from '../secrets/sensitive-of-call.ts'

/** The redactors for external reports: for text, and for the bytes of a file. */
export interface OutsideRedactors {
  text: Redactor
  /** For bytes that were mapped to one character each. */
  bytes: Redactor
}

/**
 * Redactors for a call that is completed from outside: they remove its token and all its secrets.
 */
export async function createOutsideRedactors(
  call: StoredCall,
  token: string,
  ports: CallSecrets,
): Promise<OutsideRedactors> {
  const sensitive = joinSecrets({ 'completion.token': token }, await readSensitive(call, ports))
  return { text: createRedactor(sensitive), bytes: createRedactor(asBytes(sensitive)) }
}

/** A secret in a file is UTF-8, and the file is read one byte per character. */
function asBytes(secrets: Readonly<Record<string, string>>): Record<string, string> {
  const encoder = new TextEncoder()
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, toByteText(encoder.encode(value))]),
  )
}

const charsAtOnce = 8192

/** Maps each byte to one character. */
export function toByteText(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += charsAtOnce) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + charsAtOnce)))
  }
  return parts.join('')
}

/** Maps one character back to each byte. */
export function fromByteText(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

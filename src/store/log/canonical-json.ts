import { createHmac } from 'node:crypto'
import type { JsonValue } from '../../core/tool.ts'

/**
 * Digest of a value that does not depend on the order of its keys. Keyed, because an input may hold
 * a secret that is short enough to be guessed from a plain digest.
 */
export function hashJson(pepper: Uint8Array, value: JsonValue): Uint8Array {
  return createHmac('sha256', pepper)
    .update(`input\n${toCanonicalJson(value)}`)
    .digest()
}

/** JSON with the keys of every object in code unit order. Keys without a value count as absent. */
export function toCanonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  const members = Object.keys(value)
    .toSorted()
    .filter((key) => value[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${toCanonicalJson(value[key] as JsonValue)}`)
  return `{${members.join(',')}}`
}

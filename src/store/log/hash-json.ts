import { createHmac } from 'node:crypto'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import type { JsonValue } from '../../core/kernel/tool.ts'

/**
 * Digest of a value that does not depend on the order of its keys. Keyed, because an input may hold
 * a secret that is short enough to be guessed from a plain digest.
 */
export function hashJson(pepper: Uint8Array, value: JsonValue): Uint8Array {
  return createHmac('sha256', pepper)
    .update(`input\n${canonicalJson(value)}`)
    .digest()
}

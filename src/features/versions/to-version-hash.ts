import type { JsonValue } from '../../core/kernel/json.ts'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import { sha256 } from '../../core/tool-version.ts'

/** As many digits as versions of tools that are recorded with calls. */
const digits = 12

/** The hash of a document, regardless of key order. */
export function toVersionHash(body: JsonValue): string {
  return sha256(canonicalJson(body)).slice(0, digits)
}

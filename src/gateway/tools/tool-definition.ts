import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** The same for definitions that differ in the order of keys alone. */
export function hashDefinition(definition: JsonRecord): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex')
}

/** The hash as it was before `_meta` was included. */
export function hashWithoutMeta(definition: JsonRecord): string {
  const { _meta, ...rest } = definition
  return hashDefinition(rest)
}

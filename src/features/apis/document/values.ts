import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { Json, JsonObject } from '../model.ts'

// Documents are written by hand and by hundreds of generators: each member may be of any type.

/** The own member of a record, if it is a record. */
export function recordIn(value: Json | undefined, key: string): JsonObject {
  const inner = memberOf(value, key)
  return isRecord(inner) ? inner : {}
}

/** The own member, if it is a text that is not empty, cut to a length. */
export function textIn(value: Json | undefined, key: string, max = 200): string | undefined {
  const inner = memberOf(value, key)
  const text = typeof inner === 'string' ? inner.trim() : ''
  return text === '' ? undefined : text.slice(0, max)
}

/** The own member, if it is a list. */
export function listIn(value: Json | undefined, key: string): Json[] {
  const inner = memberOf(value, key)
  return Array.isArray(inner) ? inner : []
}

/** The own member of a record, of any type. */
export function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The own member as a text: versions are often written without quotes. */
export function scalarIn(value: Json | undefined, key: string): string | undefined {
  const inner = memberOf(value, key)
  return typeof inner === 'string' || typeof inner === 'number' ? String(inner) : undefined
}

/** The texts of a list. */
export function textsIn(value: Json | undefined, key: string): string[] {
  return listIn(value, key).filter((item) => typeof item === 'string')
}

import type { JsonValue } from '../kernel/json.ts'

/** A tool as listed by a server. */
export type ListedDefinition = Record<string, JsonValue>

/**
 * The fields of a tool that a model, a client or an approver may see. Other fields from a server
 * are ignored.
 */
const seen = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  'execution',
  '_meta',
] as const

/** A listed tool, reduced to these fields. */
export function toDefinition(listed: ListedDefinition): ListedDefinition {
  return Object.fromEntries(
    seen.flatMap((key) => {
      const value = listed[key]
      return value === undefined || (key === '_meta' && value === null) ? [] : [[key, value]]
    }),
  )
}

/**
 * A definition as stored in a pin. `_meta` is always present, as null if the tool has none: its
 * absence identifies pins written before `_meta` was checked.
 */
export function toPinned(definition: ListedDefinition): ListedDefinition {
  return { ...definition, _meta: definition['_meta'] ?? null }
}

/** The definition stored in a pin. */
export function fromPinned(pinned: ListedDefinition): ListedDefinition {
  const { _meta, ...rest } = pinned
  return _meta === undefined || _meta === null ? rest : pinned
}

/** True if the pin covers `_meta`. Pins of earlier versions do not. */
export function coversMeta(pinned: ListedDefinition): boolean {
  return Object.hasOwn(pinned, '_meta')
}

import type { JsonValue } from '../kernel/json.ts'

/** What a server lists of a tool. */
export type ToolDefinition = Record<string, JsonValue>

/** All that a model, a client or whoever approves a call may see of a tool. What else a server sends is not used. */
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

/** A tool as a server lists it, reduced to what is seen of it. */
export function toDefinition(listed: ToolDefinition): ToolDefinition {
  return Object.fromEntries(
    seen.flatMap((key) => {
      const value = listed[key]
      return value === undefined || (key === '_meta' && value === null) ? [] : [[key, value]]
    }),
  )
}

/**
 * A definition as a pin keeps it. `_meta` is always there, as null where the tool has none: pins
 * written before `_meta` was looked at are told from the others by its absence.
 */
export function toPinned(definition: ToolDefinition): ToolDefinition {
  return { ...definition, _meta: definition['_meta'] ?? null }
}

/** The definition that a pin keeps. */
export function fromPinned(pinned: ToolDefinition): ToolDefinition {
  const { _meta, ...rest } = pinned
  return _meta === undefined || _meta === null ? rest : pinned
}

/** Does the pin cover `_meta`? Those of earlier versions do not. */
export function coversMeta(pinned: ToolDefinition): boolean {
  return Object.hasOwn(pinned, '_meta')
}

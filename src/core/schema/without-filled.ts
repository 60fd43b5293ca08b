import type { JsonSchema } from '../kernel/tool.ts'
import { type Subschema, schemaEntries } from './document/keywords.ts'
import { mapSubschemas } from './document/map-subschemas.ts'
import { createResolver, type ResolveRef } from './document/resolve-ref.ts'
import { findNullness } from './prepare/nullness.ts'

const known = new WeakMap<JsonSchema, JsonSchema>()

/**
 * The same schema, requiring only the keys that a caller must send: nullable keys are filled in
 * before validation. Clients check their model's output against the published schema, and would
 * refuse input that we accept.
 */
export function withoutFilled(schema: JsonSchema): JsonSchema {
  const before = known.get(schema)
  if (before) return before
  const made = relax(schema, createResolver(schema))
  known.set(schema, made)
  return made
}

function relax(schema: JsonSchema, resolve: ResolveRef): JsonSchema {
  const inner = mapSubschemas(schema, (subschema) => relax(subschema, resolve))
  const { required, ...rest } = inner
  if (!Array.isArray(required)) return inner
  const properties = new Map<unknown, Subschema>(schemaEntries(schema, 'properties'))
  const needed = required.filter((key) => {
    const property = properties.get(key)
    return property === undefined || findNullness(property, resolve) !== 'named'
  })
  if (needed.length === required.length) return inner
  return needed.length === 0 ? rest : { ...inner, required: needed }
}

import type { JsonSchema } from '../../kernel/tool.ts'
import { invalidSchema } from './check-bounds.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { mapSubschemas } from './map-subschemas.ts'

/**
 * Foreign schemas are rewritten before their depth is checked; no legitimate one nests this deep.
 */
const maxRewriteDepth = 200

/**
 * Rewrites older drafts' syntax that other tools still produce: tuples as `items: […]`,
 * `dependencies`, and `exclusiveMinimum: true`. A 2020-12 schema is returned equal.
 */
export function toDraft2020(schema: JsonSchema, depth = 0): JsonSchema {
  if (depth > maxRewriteDepth) throw invalidSchema({ path: '', message: 'is nested too deeply' })
  const today = renewBounds(renewDependencies(renewTuple(schema)))
  return mapSubschemas(today, (inner) => toDraft2020(inner, depth + 1))
}

function renewTuple(schema: JsonSchema): JsonSchema {
  const { items, additionalItems, ...rest } = schema
  if (!Array.isArray(items)) return schema
  const others = additionalItems === undefined ? {} : { items: additionalItems }
  return items.length === 0 ? { ...rest, ...others } : { ...rest, prefixItems: items, ...others }
}

function renewDependencies(schema: JsonSchema): JsonSchema {
  const { dependencies, ...rest } = schema
  if (!isRecord(dependencies)) return schema
  const entries = Object.entries(dependencies)
  const names = entries.filter(([, value]) => Array.isArray(value))
  const schemas = entries.filter(([, value]) => !Array.isArray(value))
  return {
    ...rest,
    ...(names.length > 0 ? { dependentRequired: Object.fromEntries(names) } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
  }
}

function renewBounds(schema: JsonSchema): JsonSchema {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = schema
  if (typeof exclusiveMinimum !== 'boolean' && typeof exclusiveMaximum !== 'boolean') return schema
  return {
    ...rest,
    ...renewBound({ exclusive: exclusiveMinimum, limit: minimum }, ['minimum', 'exclusiveMinimum']),
    ...renewBound({ exclusive: exclusiveMaximum, limit: maximum }, ['maximum', 'exclusiveMaximum']),
  }
}

function renewBound(
  { exclusive, limit }: { exclusive: unknown; limit: unknown },
  [inclusiveName, exclusiveName]: readonly [string, string],
): JsonSchema {
  const isOld = typeof exclusive === 'boolean'
  if (isOld && exclusive) return limit === undefined ? {} : { [exclusiveName]: limit }
  return {
    ...(limit === undefined ? {} : { [inclusiveName]: limit }),
    ...(isOld || exclusive === undefined ? {} : { [exclusiveName]: exclusive }),
  }
}

import type { JsonSchema } from '../../../core/kernel/json.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { schemaEntries, stringsOf, typesOf } from '../../../core/schema/document/keywords.ts'
import { listSchemas } from '../../../core/schema/document/list-schemas.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { toProviderSchema } from './to-provider-schema.ts'

/**
 * Anthropic makes one grammar of all strict tools of a request and refuses the request when it gets
 * too large: more than 20 tools or 16 unions, and from 11 optional keys on (24 by its word).
 */
const most = { tools: 20, optional: 10, unions: 16 }

/**
 * The tools of a request that may be strict together for Anthropic: those with the fewest optional
 * keys first, then those with the fewest unions, then by name, so that a list always gives the same.
 */
export function chooseStrict(tools: readonly OfferedTool[]): ReadonlySet<OfferedTool> {
  const able = tools.flatMap((tool) => {
    const { schema, isStrict } = toProviderSchema(tool.inputSchema, 'anthropic', true)
    return isStrict ? [{ tool, ...weigh(schema) }] : []
  })
  const chosen = new Set<OfferedTool>()
  const left = { ...most }
  for (const { tool, optional, unions } of able.toSorted(byWeight)) {
    if (left.tools === 0 || optional > left.optional || unions > left.unions) continue
    left.tools -= 1
    left.optional -= optional
    left.unions -= unions
    chosen.add(tool)
  }
  return chosen
}

interface Weighed {
  tool: OfferedTool
  optional: number
  unions: number
}

function byWeight(left: Weighed, right: Weighed): number {
  const byName = left.tool.name < right.tool.name ? -1 : 1
  return left.optional - right.optional || left.unions - right.unions || byName
}

function weigh(schema: JsonSchema): { optional: number; unions: number } {
  const schemas = listSchemas(schema).flatMap((at) => (isRecord(at.schema) ? [at.schema] : []))
  const optional = schemas.flatMap((one) => {
    const required = new Set(stringsOf(one, 'required'))
    return schemaEntries(one, 'properties').filter(([key]) => !required.has(key))
  })
  const unions = schemas.filter((one) => 'anyOf' in one || (typesOf(one)?.length ?? 0) > 1)
  return { optional: optional.length, unions: unions.length }
}

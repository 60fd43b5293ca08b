import type { JsonSchema } from '../../kernel/json.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { schemaEntries, schemasOf, type Subschema } from './keywords.ts'
import { compilePattern } from './pattern.ts'

/** The schemas that may apply to one item of a list, given all that apply to the list. */
export function itemSchemas(nodes: readonly JsonSchema[], index: number): Subschema[] {
  return nodes.flatMap((node) => {
    const item = schemasOf(node, 'prefixItems')[index] ?? node['items']
    const others = [node['contains'], node['unevaluatedItems']]
    return [item, ...others].filter(isRecord)
  })
}

/** The schemas that may apply to one property, and whether any names it. */
export function propertySchemas(
  nodes: readonly JsonSchema[],
  key: string,
): { schemas: Subschema[]; isNamed: boolean } {
  const below = nodes.map((node) => schemasAt(node, key))
  const isNamed = below.some(({ named }) => named)
  const schemas = below.flatMap((one) => one.schemas)
  if (isNamed) return { schemas, isNamed }
  const rest = nodes.map((node) => node['unevaluatedProperties']).filter(isRecord)
  return { schemas: [...schemas, ...rest], isNamed }
}

/** Names and patterns apply together; the schema for other keys only if neither does. */
function schemasAt(node: JsonSchema, key: string): { schemas: Subschema[]; named: boolean } {
  const { properties } = node
  const named = isRecord(properties) && Object.hasOwn(properties, key)
  const own = named ? [properties[key] as Subschema] : []
  const fitting = schemaEntries(node, 'patternProperties')
    .filter(([pattern]) => compilePattern(pattern).test(key))
    .map(([, schema]) => schema)
  const known = [...own, ...fitting]
  if (known.length > 0) return { schemas: known, named }
  const other = node['additionalProperties']
  return { schemas: isRecord(other) ? [other] : [], named }
}

import type { JsonSchema } from '../../kernel/tool.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { findSubschemas, inPlaceKeywords, type Subschema } from './keywords.ts'
import type { ResolveRef } from './resolve-ref.ts'

const isDefinitions = (keyword: string) => keyword === '$defs' || keyword === 'definitions'

/**
 * Every schema reachable from these, through references and the keywords that `follows` accepts.
 */
export function collectSchemas(
  from: readonly unknown[],
  resolve: ResolveRef,
  follows: (keyword: string) => boolean = (keyword) => !isDefinitions(keyword),
): Set<JsonSchema> {
  const found = new Set<JsonSchema>()
  const open = [...from]
  while (open.length > 0) {
    const next = open.pop()
    if (!isRecord(next) || found.has(next)) continue
    found.add(next)
    if (typeof next['$ref'] === 'string') open.push(resolve(next['$ref']))
    for (const { schema, keyword } of findSubschemas(next, ''))
      if (follows(keyword)) open.push(schema)
  }
  return found
}

/** True when a value matched by these schemas can contain a part that they match again. */
export function isRecursive(schemas: readonly Subschema[], resolve: ResolveRef): boolean {
  const here = collectSchemas(schemas, resolve, (keyword) => inPlaceKeywords.has(keyword))
  const parts = [...here].flatMap((schema) =>
    findSubschemas(schema, '')
      .filter(({ keyword }) => !inPlaceKeywords.has(keyword) && !isDefinitions(keyword))
      .map((found) => found.schema),
  )
  const below = collectSchemas(parts, resolve)
  return [...here].some((schema) => below.has(schema))
}

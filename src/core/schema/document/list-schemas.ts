import type { JsonSchema } from '../../kernel/tool.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { findSubschemas, type Subschema } from './keywords.ts'

/** A schema at its place in the document. */
export interface SchemaAt {
  schema: Subschema
  path: string
  /** The keyword that contains it; absent for the root. */
  keyword: string | undefined
  /** The number of objects and arrays around it. */
  level: number
}

const levelKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
])

/** Every schema of a checked document, in order, including definitions. */
export function listSchemas(root: JsonSchema): SchemaAt[] {
  const found: SchemaAt[] = []
  const visit = (at: SchemaAt) => {
    found.push(at)
    if (!isRecord(at.schema)) return
    for (const { schema, keyword, path } of findSubschemas(at.schema, at.path)) {
      const level = at.level + (levelKeywords.has(keyword) ? 1 : 0)
      visit({ schema: schema as Subschema, path, keyword, level })
    }
  }
  visit({ schema: root, path: '', keyword: undefined, level: 0 })
  return found
}

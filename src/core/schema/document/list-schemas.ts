import type { JsonSchema } from '../../kernel/tool.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { findSubschemas, type Subschema } from './keywords.ts'

/** A schema at its place in the document. */
export interface SchemaAt {
  schema: Subschema
  path: string
  /** The keyword it stands under; none for the root. */
  keyword: string | undefined
  /** Levels of objects and arrays above it. */
  level: number
}

const levelKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
])

/** Every schema of a bounded document, in order, definitions included. */
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

import type { JsonSchema } from '../../../core/kernel/json.ts'
import { unseenKeywords } from '../../../core/schema/unseen-keywords.ts'
import {
  intoDescription,
  oneOfToAnyOf,
  rewriteSchema,
  withItems,
  withoutSideKeywords,
} from './rewrite-schema.ts'

/** As Gemini takes it: `enum` for `const`, `anyOf` for `oneOf`, and rules it does not know in words. */
export function toGeminiSchema(schema: JsonSchema): JsonSchema {
  return rewriteSchema(schema, (inner) => constToEnum(withItems(toSpoken(inner))))
}

function toSpoken(schema: JsonSchema): JsonSchema {
  return withoutSideKeywords(intoDescription(oneOfToAnyOf(schema), unseenKeywords))
}

function constToEnum(schema: JsonSchema): JsonSchema {
  if (!Object.hasOwn(schema, 'const')) return schema
  const { const: only, ...rest } = schema
  return { ...rest, enum: [only] }
}

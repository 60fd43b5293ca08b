import type { JsonSchema } from '../../../core/kernel/json.ts'
import { rootUnions } from '../../../core/schema/unseen-keywords.ts'
import {
  intoDescription,
  metaKeywords,
  rewriteSchema,
  withItems,
  withoutKeywords,
} from './rewrite-schema.ts'

/**
 * As it is, but for what OpenAI, and whoever speaks its protocol, refuses without strictness, too: a
 * union where the object of all arguments stands, an object that names no keys there, an array that
 * does not say what it holds. What is refused takes all tools of its request with it.
 */
export function toLooseSchema(schema: JsonSchema): JsonSchema {
  const spoken = intoDescription(withoutKeywords(schema, metaKeywords), rootUnions)
  return rewriteSchema({ ...spoken, properties: spoken['properties'] ?? {} }, withItems)
}

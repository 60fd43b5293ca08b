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
 * The schema as it is, except for parts that OpenAI and compatible servers refuse even without
 * strictness: a union in place of the object of all arguments, an object without keys there, an
 * array without items. One refused tool takes down all tools of its request.
 */
export function toLooseSchema(schema: JsonSchema): JsonSchema {
  const spoken = intoDescription(withoutKeywords(schema, metaKeywords), rootUnions)
  return rewriteSchema({ ...spoken, properties: spoken['properties'] ?? {} }, withItems)
}

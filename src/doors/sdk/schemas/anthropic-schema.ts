import type { JsonSchema } from '../../../core/kernel/json.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { rootUnions, unseenKeywords } from '../../../core/schema/unseen-keywords.ts'
import {
  intoDescription,
  metaKeywords,
  oneOfToAnyOf,
  rewriteSchema,
  withoutKeywords,
  withoutSideKeywords,
} from './rewrite-schema.ts'

/** As Anthropic takes it: nearly everything, but no union where the object of all arguments stands. */
export function toAnthropicSchema(schema: JsonSchema): JsonSchema {
  return intoDescription(withoutKeywords(schema, metaKeywords), rootUnions)
}

const limits: ReadonlySet<string> = new Set([
  ...unseenKeywords,
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'maxItems',
])

/** As Anthropic's strict mode takes it: objects closed, limits said in words. */
export function toStrictAnthropicSchema(schema: JsonSchema): JsonSchema {
  return rewriteSchema(toAnthropicSchema(schema), (inner) => {
    const spoken = withoutSideKeywords(intoDescription(oneOfToAnyOf(inner), limitsOf(inner)))
    return isRecord(spoken['properties']) ? { ...spoken, additionalProperties: false } : spoken
  })
}

/** Of list lengths only "any" and "at least one" can be said. */
function limitsOf({ minItems }: JsonSchema): ReadonlySet<string> {
  return typeof minItems === 'number' && minItems > 1 ? new Set([...limits, 'minItems']) : limits
}

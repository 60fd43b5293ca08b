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

/**
 * In Anthropic's dialect: nearly everything, but no union in place of the object of all arguments.
 */
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

/** In Anthropic's strict mode: objects closed, limits in words. */
export function toStrictAnthropicSchema(schema: JsonSchema): JsonSchema {
  return rewriteSchema(toAnthropicSchema(schema), (inner) => {
    const spoken = withoutSideKeywords(intoDescription(oneOfToAnyOf(inner), limitsOf(inner)))
    return isRecord(spoken['properties']) ? { ...spoken, additionalProperties: false } : spoken
  })
}

/** Of list lengths only "any" and "at least one" can be expressed. */
function limitsOf({ minItems }: JsonSchema): ReadonlySet<string> {
  return typeof minItems === 'number' && minItems > 1 ? new Set([...limits, 'minItems']) : limits
}

import type { JsonSchema } from '../../../core/kernel/json.ts'
import type { SchemaFlavour } from '../../../core/models/provider-apis.ts'
import { checkPortability } from '../../../core/schema/portability.ts'
import { toAnthropicSchema, toStrictAnthropicSchema } from './anthropic-schema.ts'
import { isSimpleSchema } from './is-simple-schema.ts'
import { toGeminiSchema } from './gemini-schema.ts'
import { toLooseSchema } from './loose-schema.ts'
import { toOpenAISchema } from './openai-schema.ts'

/** A tool's input schema as one provider takes it. */
export interface ProviderSchema {
  readonly schema: JsonSchema
  /** The provider may enforce it strictly; the schema loses nothing by that. */
  readonly isStrict: boolean
}

/** Strictness is free with OpenAI; Anthropic bounds it, and Gemini and plain servers have none. */
export function isStrictByDefault(flavour: SchemaFlavour): boolean {
  return flavour === 'openai'
}

const kept = new WeakMap<JsonSchema, Map<string, ProviderSchema>>()

/**
 * The input schema of a tool for one provider: made once, then kept with the schema. A tool whose
 * schema would lose something in strict form is sent as it is, without strictness: what the model
 * sends is checked here all the same.
 */
export function toProviderSchema(
  schema: JsonSchema,
  flavour: SchemaFlavour,
  mayBeStrict: boolean,
): ProviderSchema {
  const key = `${flavour}${mayBeStrict}`
  const known = kept.get(schema)?.get(key)
  if (known) return known
  const made = compile(schema, flavour, mayBeStrict)
  const all = kept.get(schema) ?? new Map<string, ProviderSchema>()
  kept.set(schema, all.set(key, made))
  return made
}

function compile(schema: JsonSchema, flavour: SchemaFlavour, mayBeStrict: boolean): ProviderSchema {
  switch (flavour) {
    case 'openai':
      return mayBeStrict && isPortable(schema, 'openai')
        ? lazily(true, () => toOpenAISchema(schema))
        : lazily(false, () => toLooseSchema(schema))
    case 'anthropic':
      return mayBeStrict && isPortable(schema, 'anthropic')
        ? lazily(true, () => toStrictAnthropicSchema(schema))
        : lazily(false, () => toAnthropicSchema(schema))
    case 'gemini':
      return lazily(false, () => toGeminiSchema(schema))
    case 'plain':
      return lazily(false, () => toLooseSchema(schema))
  }
}

/** Written when it is first sent: a model that searches for tools is never shown most of them. */
function lazily(isStrict: boolean, make: () => JsonSchema): ProviderSchema {
  let made: JsonSchema | undefined
  return {
    isStrict,
    get schema() {
      return (made ??= make())
    },
  }
}

function isPortable(schema: JsonSchema, provider: 'openai' | 'anthropic'): boolean {
  if (isSimpleSchema(schema)) return true
  return !checkPortability(schema).some(
    (finding) => finding.provider === provider && finding.severity === 'error',
  )
}

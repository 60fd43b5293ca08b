import {
  anthropicApi,
  googleApi,
  openAIApi,
  type SchemaFlavour,
} from '../../core/models/provider-apis.ts'

/** A model of the AI SDK with its provider's id: `anthropic.messages`, `openai.responses`. */
export type ModelLike = string | { readonly provider: string; readonly modelId: string }

/**
 * The dialect of JSON Schema that a model reads, by its provider's id or by a gateway's model name.
 */
export function flavourOf(model: ModelLike | undefined): SchemaFlavour {
  if (model === undefined) return 'plain'
  const [provider, modelId] =
    typeof model === 'string' ? [model, model] : [model.provider, model.modelId]
  const word = `${provider} ${modelId}`.toLowerCase()
  if (/\b(?:openai|azure)\b(?!-compatible)/.test(word)) return openAIApi.schemaFlavour
  if (/\b(?:anthropic|claude)\b/.test(word)) return anthropicApi.schemaFlavour
  if (/\b(?:google|vertex|gemini)\b/.test(word)) return googleApi.schemaFlavour
  return 'plain'
}

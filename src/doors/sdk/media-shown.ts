import {
  anthropicApi,
  bedrockApi,
  chatCompletionsApi,
  googleApi,
  openAIApi,
  type OutputMedia,
} from '../../core/models/provider-apis.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { ModelLike } from './flavour-of.ts'

/** Which files of tools' outputs a model can be sent, by the name of its provider in the SDK. */
export function mediaShownTo(model: ModelLike | undefined): OutputMedia {
  if (model === undefined || typeof model === 'string') return 'documents'
  const provider = model.provider.toLowerCase()
  if (provider.includes('anthropic')) return anthropicApi.outputMedia
  if (provider.includes('bedrock')) return bedrockApi.outputMedia
  if (/gateway|responses/.test(provider)) return openAIApi.outputMedia
  if (/google|vertex/.test(provider)) return googleApi.outputMedia
  return takesParts(model) ? 'documents' : chatCompletionsApi.outputMedia
}

/** Set on the model if its server is known to support `supportsMultiPartToolContent`. */
function takesParts(model: object): boolean {
  const config: unknown = 'config' in model ? model.config : undefined
  return isRecord(config) && config['supportsMultiPartToolContent'] === true
}

import type { ModelLike } from '../flavour-of.ts'
import type { OutputMedia } from '../../../core/models/provider-apis.ts'
import { mediaShownTo } from '../media-shown.ts'

/** A model as agents of Mastra are given one: of the AI SDK, or by its name and address. */
export type MastraModel = ModelLike | RoutedModel

type RoutedModel = (
  | { readonly id: string }
  | { readonly providerId: string; readonly modelId: string }
) & { readonly url?: string | undefined; readonly api?: string | undefined }

/** Those of Mastra's router that are reached by their own packages; the others by Chat Completions. */
const ownPackage = /(?:^|\/)(?:anthropic|google|openai)\//

/** The types of files that such a model can be shown. Mastra's tools do not know their reader. */
export function mediaShownIn(model: MastraModel | undefined): OutputMedia {
  if (model === undefined) return 'documents'
  if (typeof model === 'string') return ownPackage.test(model) ? 'documents' : 'none'
  if ('provider' in model) return mediaShownTo(model)
  const { url, api } = model
  if (url !== undefined) return api === 'responses' ? 'documents' : 'none'
  return mediaShownIn('id' in model ? model.id : `${model.providerId}/${model.modelId}`)
}

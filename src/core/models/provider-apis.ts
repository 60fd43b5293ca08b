/**
 * The dialect of JSON Schema that a model reads. `plain` changes only what most providers refuse.
 */
export type SchemaFlavour = 'plain' | 'openai' | 'anthropic' | 'gemini'

/**
 * File types in tool output that may be sent to a model; others are replaced by their names. A
 * provider refuses a request with a file it can't read, and every later request of that
 * conversation.
 */
export type OutputMedia = 'all' | 'documents' | 'none'

/** Images and PDF: the files that every API with file support reads. */
export const documentMedia: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
]

/** The facts about a provider's API that tools need. */
export interface ProviderApi {
  /** Undefined if it depends on the model. */
  schemaFlavour?: SchemaFlavour
  outputMedia: OutputMedia
}

export const anthropicApi = {
  schemaFlavour: 'anthropic',
  outputMedia: 'documents',
} as const satisfies ProviderApi

/** The Responses API. */
export const openAIApi = {
  schemaFlavour: 'openai',
  outputMedia: 'documents',
} as const satisfies ProviderApi

export const googleApi = {
  schemaFlavour: 'gemini',
  outputMedia: 'all',
} as const satisfies ProviderApi

/** Serves models of many vendors. */
export const bedrockApi = { outputMedia: 'documents' } as const satisfies ProviderApi

/** Tool results are text: an image would be sent as a million meaningless letters. */
export const chatCompletionsApi = { outputMedia: 'none' } as const satisfies ProviderApi

/** True if a tool result may contain a file of this type. */
export function isShown(mediaType: string, media: OutputMedia): boolean {
  return media === 'all' || (media === 'documents' && documentMedia.includes(mediaType))
}

/** Whose dialect of JSON Schema a model reads. `plain` changes only what most providers refuse. */
export type SchemaFlavour = 'plain' | 'openai' | 'anthropic' | 'gemini'

/**
 * Files of a tool's output that a model may be sent; others are replaced by their names. A provider
 * refuses a request with a file it can't read, and every later request of that conversation.
 */
export type OutputMedia = 'all' | 'documents' | 'none'

/** Pictures and PDF: the files that every API with file support reads. */
export const documentMedia: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
]

/** What tools need to know about the API of a provider. */
export interface ProviderApi {
  /** Undefined where it depends on the model. */
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

/** Runs models of many vendors. */
export const bedrockApi = { outputMedia: 'documents' } as const satisfies ProviderApi

/** Tool results are text: a picture would be sent as a million meaningless letters. */
export const chatCompletionsApi = { outputMedia: 'none' } as const satisfies ProviderApi

/** May a tool result hold a file of this type? */
export function isShown(mediaType: string, media: OutputMedia): boolean {
  return media === 'all' || (media === 'documents' && documentMedia.includes(mediaType))
}

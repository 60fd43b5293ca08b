import { type ModelName, parseModelName } from '../models/model-name.ts'

/** What goes to every model as text: no provider takes all of these as files, and some none. */
export function isTextMedia(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json'
}

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const documents = [...pictures, 'application/pdf']

/**
 * By what the SDK's provider turns into its API: for anything else it throws, and again with every
 * later request that has the file in it. Undefined: it takes all that is let in.
 */
const mediaOf: Readonly<Record<ModelName['kind'], readonly string[] | undefined>> = {
  demo: undefined,
  google: undefined,
  anthropic: documents,
  openai: documents,
  bedrock: documents,
  'openai-compatible': [...documents, 'audio/wav', 'audio/mpeg'],
}

/** May a file of this type be in a request to this model? */
export function isReadable(mediaType: string, model: string): boolean {
  if (isTextMedia(mediaType)) return true
  const known = mediaOf[parseModelName(model).kind]
  return known === undefined || known.includes(mediaType)
}

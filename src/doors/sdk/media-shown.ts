import { isRecord } from '../../core/schema/json/json-type.ts'
import type { ModelLike } from './flavour-of.ts'

/**
 * What a model can be shown of the files in a tool's output. The others are named: of what its
 * provider can't send it refuses the request, and with it every later one of the conversation.
 */
export type MediaShown = 'all' | 'documents' | 'none'

const documents: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
])

/** May a file of this type be in a result? */
export function isShown(mediaType: string, media: MediaShown): boolean {
  return media === 'all' || (media === 'documents' && documents.has(mediaType))
}

/**
 * By what the SDK's provider makes of it. Those that speak Chat Completions write a file into the
 * result as text, where a picture is a million letters that mean nothing.
 */
export function mediaShownTo(model: ModelLike | undefined): MediaShown {
  if (model === undefined || typeof model === 'string') return 'documents'
  const provider = model.provider.toLowerCase()
  if (/anthropic|bedrock|gateway|responses/.test(provider)) return 'documents'
  if (/google|vertex/.test(provider)) return 'all'
  return takesParts(model) ? 'documents' : 'none'
}

/** Said of its server by whoever has made the model, with `supportsMultiPartToolContent`. */
function takesParts(model: object): boolean {
  const config: unknown = 'config' in model ? model.config : undefined
  return isRecord(config) && config['supportsMultiPartToolContent'] === true
}

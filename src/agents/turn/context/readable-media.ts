import type { Provider } from '../../models/provider.ts'

/** Sent to every model as text: no provider takes all of these as files, and some take none. */
export function isTextMedia(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json'
}

/** May a message to models of this provider hold a file of this type? */
export function isReadable(
  mediaType: string,
  { messageMedia }: Pick<Provider, 'messageMedia'>,
): boolean {
  return isTextMedia(mediaType) || messageMedia === 'all' || messageMedia.includes(mediaType)
}

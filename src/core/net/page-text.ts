import type { WebPage } from '../kernel/context/web.ts'
import { decodePage, mediaTypeOf } from './decode-page.ts'

/** A response whose body was read whole. */
export function toPage({ url, status, headers }: Response, bytes: Uint8Array): WebPage {
  const contentType = headers.get('content-type') ?? ''
  const mediaType = mediaTypeOf(contentType) || 'application/octet-stream'
  return { url, status, headers, mediaType, bytes, text: () => decodePage(bytes, contentType) }
}

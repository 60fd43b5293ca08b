export type MediaKind = 'html' | 'json' | 'text' | 'binary'

const texts = new Set([
  'application/ecmascript',
  'application/graphql',
  'application/javascript',
  'application/rtf',
  'application/sql',
  'application/toml',
  'application/x-httpd-php',
  'application/x-javascript',
  'application/x-ndjson',
  'application/x-sh',
  'application/x-www-form-urlencoded',
  'application/x-yaml',
  'application/xml',
  'application/yaml',
])

/** How a body is shown: by its media type, or by its first bytes if that is missing or general. */
export function mediaKindOf(mediaType: string, bytes: Uint8Array): MediaKind {
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml') return 'html'
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return 'json'
  if (mediaType.startsWith('text/') || mediaType.endsWith('+xml') || texts.has(mediaType)) {
    return 'text'
  }
  if (mediaType !== '' && mediaType !== 'application/octet-stream') return 'binary'
  return kindOfBytes(bytes)
}

const lookedAt = 8192

function kindOfBytes(bytes: Uint8Array): MediaKind {
  const start = bytes.subarray(0, lookedAt)
  if (start.includes(0)) return 'binary'
  try {
    // A character may be cut in two at the end.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return /^\s*<(?:!doctype html|html)/i.test(text) ? 'html' : 'text'
  } catch {
    return 'binary'
  }
}

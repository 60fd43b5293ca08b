/** A file as it stands inside of an input. */
export interface InlineFile {
  mediaType: string
  bytes: Uint8Array
}

const unknownType = 'application/octet-stream'

/** A data URL or plain base64 as bytes; undefined for any other text. */
export function parseInlineFile(text: string): InlineFile | undefined {
  if (!text.startsWith('data:')) return toFile(unknownType, text)
  const comma = text.indexOf(',')
  const head = text.slice('data:'.length, comma === -1 ? 0 : comma)
  if (comma === -1 || !/;\s*base64\s*$/i.test(head)) return undefined
  const mediaType = head.replace(/;\s*base64\s*$/i, '')
  return toFile(mediaType === '' ? unknownType : mediaType, text.slice(comma + 1))
}

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  // In pieces that end between groups of three: a call takes only so many arguments.
  const step = 3 * 8192
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += step) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + step))))
  }
  return parts.join('')
}

function toFile(mediaType: string, base64: string): InlineFile | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return { mediaType, bytes }
  } catch {
    return undefined
  }
}

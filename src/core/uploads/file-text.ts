/** A file inside an input. */
export interface InlineFile {
  mediaType: string
  bytes: Uint8Array
}

const unknownType = 'application/octet-stream'

/** Decodes a data URL or plain base64; undefined for any other text. */
export function parseInlineFile(text: string): InlineFile | undefined {
  if (!text.startsWith('data:')) return toFile(unknownType, text)
  const comma = text.indexOf(',')
  const head = text.slice('data:'.length, comma === -1 ? 0 : comma)
  if (comma === -1 || !/;\s*base64\s*$/i.test(head)) return undefined
  const mediaType = head.replace(/;\s*base64\s*$/i, '')
  return toFile(mediaType === '' ? unknownType : mediaType, text.slice(comma + 1))
}

/**
 * True if a text is a file: a data URL or base64. Words with blanks between them are not, although
 * decoders skip blanks; lines of base64 may be broken.
 */
export function isInlineFile(text: string): boolean {
  if (text.startsWith('data:')) {
    const [head = '', ...rest] = text.split(',')
    return /;\s*base64\s*$/i.test(head) && isBase64(rest.join(','))
  }
  return isBase64(text)
}

/** Below this length, letters and digits without padding may as well be a word, a path or an id. */
const plainBase64Chars = 128

/**
 * True if this text may be base64 by chance: names, ids and paths use the same characters. Padding,
 * a line break or a data URL show that bytes are intended, and so does the length of a real file.
 */
export function mayBeWord(text: string): boolean {
  return text.length < plainBase64Chars && /^[A-Za-z0-9+/]+$/.test(text)
}

function isBase64(text: string): boolean {
  const joined = text.replaceAll(/[\r\n]/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(joined)) return false
  return joined.endsWith('=') ? joined.length % 4 === 0 : joined.length % 4 !== 1
}

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  // In chunks that end between groups of three: a call takes a limited number of arguments.
  const step = 3 * 8192
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += step) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + step))))
  }
  return parts.join('')
}

function toFile(mediaType: string, base64: string): InlineFile | undefined {
  if (!isBase64(base64)) return undefined
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return { mediaType, bytes }
  } catch {
    return undefined
  }
}

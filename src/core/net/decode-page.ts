/** How much of a page is searched for its own word about its charset, as browsers do. */
const metaBytes = 1024

/**
 * The text of a page: by its byte order mark, else the charset of its header, else that of its meta
 * element, else UTF-8. Bytes that do not fit become replacement characters.
 */
export function decodePage(bytes: Uint8Array, contentType = ''): string {
  const label =
    charsetOfMark(bytes) ?? charsetOfHeader(contentType) ?? charsetOfMeta(bytes) ?? 'utf-8'
  return decodeAs(label, bytes)
}

/** The media type of a content-type header, without its parameters, in lower case. */
export function mediaTypeOf(contentType: string | null): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function charsetOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function charsetOfHeader(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?\s*([^\s;"]+)/i.exec(contentType)?.[1]
}

/** Of XML declarations, too. A page that could be read so far is not in UTF-16. */
function charsetOfMeta(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, metaBytes))
  const label =
    /<meta[^>]{1,300}?charset\s*=\s*["']?\s*([\w-]+)/i.exec(start)?.[1] ??
    /^<\?xml[^>]{1,100}?encoding\s*=\s*["']([\w-]+)/i.exec(start)?.[1]
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** Pages invent charsets. */
function decodeAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

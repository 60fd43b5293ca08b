import type { WebPage } from '../kernel/context/web.ts'

/** How far into a page its encoding is looked for, as browsers do. */
const metaBytes = 1024

/** A response whose body was read whole. */
export function toPage({ url, status, headers }: Response, bytes: Uint8Array): WebPage {
  const contentType = headers.get('content-type') ?? ''
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() || 'application/octet-stream'
  return { url, status, headers, mediaType, bytes, text: () => decodePage(bytes, contentType) }
}

/** The text of a page in its own encoding: a byte order mark, its header, or its meta element. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const label = fromMark(bytes) ?? fromHeader(contentType) ?? fromMeta(bytes) ?? 'utf-8'
  return toDecoder(label).decode(bytes)
}

function toDecoder(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label)
  } catch {
    // An encoding that nobody knows.
    return new TextDecoder()
  }
}

function fromMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function fromHeader(contentType: string): string | undefined {
  return /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1]
}

function fromMeta(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, metaBytes))
  const label = /<meta[^>]{0,500}charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1]
  // A page whose meta element could be read is not in UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

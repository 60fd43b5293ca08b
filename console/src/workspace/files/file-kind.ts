/** How a file is previewed. */
export type PreviewKind = 'text' | 'markdown' | 'image' | 'binary' | 'large'

/** Larger texts are downloaded. */
export const mostTextBytes = 1_000_000
const mostImageBytes = 15_000_000

const images: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
}
const binaries = new Set(
  'zip gz tgz xz 7z tar pdf exe dll so dylib wasm mp3 mp4 mov wav ogg ttf otf woff woff2 sqlite db class jar pyc docx xlsx pptx'.split(
    ' ',
  ),
)

/** What to try, by the name and size of a file; only its bytes say whether it is text. */
export function choosePreview(path: string, bytes: number): PreviewKind {
  const ending = endingOf(path)
  if (Object.hasOwn(images, ending)) return bytes <= mostImageBytes ? 'image' : 'large'
  if (binaries.has(ending)) return 'binary'
  if (bytes > mostTextBytes) return 'large'
  return ending === 'md' || ending === 'markdown' ? 'markdown' : 'text'
}

/** The type of a picture, by its name. */
export function imageType(path: string): string {
  return images[endingOf(path)] ?? 'application/octet-stream'
}

function endingOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot < path.lastIndexOf('/') ? '' : path.slice(dot + 1).toLowerCase()
}

/** The text of a file; undefined for a binary file. */
export function decodeText(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}

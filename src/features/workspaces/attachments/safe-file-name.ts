const mostBytes = 180
const mostExtension = 20

/** Invisible characters and those that change the direction of a text, and all control characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu

const extensions: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/markdown': 'md',
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
}

/**
 * A name for a file that somebody else has named: one part of a path, visible, without a meaning for
 * shells at its beginning, and short enough for every disk.
 */
export function safeFileName(name: string | undefined, mediaType: string): string {
  const last = (name ?? '').toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const safe = last
    .replaceAll(unseen, '')
    .replaceAll(/[<>:"|?*`$]/g, '_')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.~-]+/, '')
    .replace(/[\s.]+$/, '')
  if (safe !== '') return shorten(safe)
  const subtype = /\/([a-z0-9]{1,10})$/.exec(mediaType)?.[1]
  const extension = Object.hasOwn(extensions, mediaType) ? extensions[mediaType] : subtype
  return extension === undefined ? 'file' : `file.${extension}`
}

/** The same path with a number before its extension; the first has none. */
export function numberPath(path: string, number: number): string {
  if (number === 1) return path
  const { stem, extension } = split(path)
  return `${stem}-${number}${extension}`
}

function shorten(name: string): string {
  const { stem, extension } = split(name)
  let kept = ''
  // Whole characters only.
  for (const character of stem) {
    if (Buffer.byteLength(kept + character + extension) > mostBytes) break
    kept += character
  }
  return kept + extension
}

function split(path: string): { stem: string; extension: string } {
  const dot = path.lastIndexOf('.')
  const hasExtension = dot > path.lastIndexOf('/') + 1 && path.length - dot <= mostExtension
  if (!hasExtension) return { stem: path, extension: '' }
  return { stem: path.slice(0, dot), extension: path.slice(dot) }
}

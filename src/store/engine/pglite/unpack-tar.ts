import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'

const blockBytes = 512
const directoryType = '5'

/**
 * Writes the files and folders of a plain tar archive below `folder`. Reads what PGlite's dump writes; links
 * are not in it. Without promises, as the database will write them too: hundreds of small files cost twice
 * as much with them.
 */
export function unpackTar(archive: Uint8Array, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const made = new Set([folder])
  for (const entry of readEntries(
    Buffer.from(archive.buffer, archive.byteOffset, archive.length),
  )) {
    const path = placeBelow(folder, entry.name)
    const parent = entry.isFolder ? path : dirname(path)
    if (!made.has(parent)) mkdirSync(parent, { recursive: true, mode: 0o700 })
    made.add(parent)
    if (!entry.isFolder) writeFileSync(path, entry.content, { mode: 0o600 })
  }
}

function* readEntries(
  bytes: Buffer,
): Generator<{ name: string; isFolder: boolean; content: Uint8Array }> {
  let at = 0
  // Two empty blocks end an archive; one without a name is enough to know.
  while (at + blockBytes <= bytes.length && bytes[at] !== 0) {
    const header = bytes.subarray(at, at + blockBytes)
    const size = Number.parseInt(text(header, 124, 12), 8)
    const prefix = text(header, 345, 155)
    const name = text(header, 0, 100)
    const start = at + blockBytes
    yield {
      name: prefix === '' ? name : `${prefix}/${name}`,
      isFolder: text(header, 156, 1) === directoryType,
      content: bytes.subarray(start, start + size),
    }
    at = start + Math.ceil(size / blockBytes) * blockBytes
  }
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.toString('latin1', start, start + length)
  const end = field.indexOf(String.fromCharCode(0))
  return (end === -1 ? field : field.slice(0, end)).trim()
}

/** The archive is ours, but a path out of the folder would still be a path out of the folder. */
function placeBelow(folder: string, name: string): string {
  const path = normalize(join(folder, name))
  if (path !== folder && !path.startsWith(folder + sep)) {
    throw new Error(`the archive names a file outside of its folder: ${name}`)
  }
  return path
}

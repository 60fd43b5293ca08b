import { ToolError } from '../../../core/kernel/errors.ts'
import { skillBounds } from '../model.ts'

/** One file in a zip, as its directory and its own header both say. */
export interface ZipEntry {
  path: string
  isFolder: boolean
  isStored: boolean
  crc: number
  /** The declared unpacked size. */
  size: number
  /** The offset of its header; its packed bytes follow. */
  headerAt: number
  start: number
  end: number
}

const endSize = 22
const centralSize = 46
const localSize = 30
/** Encrypted, strongly encrypted, or its directory is. */
const encrypted = 0x2041
const sizesFollow = 0x0008
/** Folders are entries, too. */
const maxEntries = skillBounds.files * 4

/**
 * Reads the directory of a zip and holds every entry against its own header: what two readers could
 * read in two ways is refused. Throws invalid_skill.
 */
export function readZipEntries(zip: Uint8Array): ZipEntry[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const end = findEnd(view)
  const entries: ZipEntry[] = []
  let at = end.directoryAt
  for (let count = 0; count < end.entries; count += 1) {
    if (at + centralSize > end.at || view.getUint32(at, true) !== 0x02014b50) {
      throw broken('its directory is cut off')
    }
    const lengths = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    const next = at + centralSize + lengths.reduce((sum, length) => sum + length, 0)
    if (next > end.at) throw broken('its directory is cut off')
    entries.push(readEntry({ zip, view, directoryAt: end.directoryAt }, at))
    at = next
  }
  if (at !== end.at) throw broken('its directory is longer than declared')
  refuseOverlaps(entries)
  return entries
}

interface ZipView {
  zip: Uint8Array
  view: DataView
  directoryAt: number
}

/** The record at the very end, which locates the directory. */
function findEnd(view: DataView): { at: number; entries: number; directoryAt: number } {
  const size = view.byteLength
  for (let at = size - endSize; at >= Math.max(0, size - endSize - 0xffff); at -= 1) {
    const isEnd =
      view.getUint32(at, true) === 0x06054b50 &&
      at + endSize + view.getUint16(at + 20, true) === size
    if (!isEnd) continue
    const [disk, directoryDisk, here, entries] = [4, 6, 8, 10].map((field) =>
      view.getUint16(at + field, true),
    ) as [number, number, number, number]
    const directoryAt = view.getUint32(at + 16, true)
    const isWhole = disk === 0 && directoryDisk === 0 && here === entries
    if (!isWhole || entries === 0xffff) throw broken('it is in several parts, or a zip64')
    if (entries > maxEntries) throw broken(`it has ${entries} entries; ${maxEntries} are possible`)
    if (directoryAt + view.getUint32(at + 12, true) !== at) {
      throw broken('its directory is not at the declared place')
    }
    return { at, entries, directoryAt }
  }
  throw new ToolError('invalid_skill', 'This is not a zip file', {
    fix: 'Send the zip of a folder with SKILL.md in it.',
  })
}

function readEntry({ zip, view, directoryAt }: ZipView, at: number): ZipEntry {
  const path = readName(zip, at + centralSize, view.getUint16(at + 28, true))
  const flags = view.getUint16(at + 8, true)
  const method = view.getUint16(at + 10, true)
  const [crc, packed, size] = [16, 20, 24].map((field) => view.getUint32(at + field, true)) as [
    number,
    number,
    number,
  ]
  if ((flags & encrypted) !== 0) throw broken(`${quote(path)} is encrypted`)
  if (method !== 0 && method !== 8) throw broken(`${quote(path)} is packed in an unusual way`)
  if (method === 0 && packed !== size) throw broken(`${quote(path)} has two sizes`)
  checkKind(path, view, at)
  const headerAt = view.getUint32(at + 42, true)
  const start = readHeader({ zip, view, directoryAt }, headerAt, {
    path,
    flags,
    method,
    crc,
    packed,
    size,
  })
  const isFolder = path.endsWith('/')
  if (isFolder && size !== 0) throw broken(`${quote(path)} is a folder with content`)
  return { path, isFolder, isStored: method === 0, crc, size, headerAt, start, end: start + packed }
}

interface Said {
  path: string
  flags: number
  method: number
  crc: number
  packed: number
  size: number
}

/** The header before the content must say the same as the directory. Returns where the content begins. */
function readHeader({ zip, view, directoryAt }: ZipView, at: number, said: Said): number {
  if (at + localSize > directoryAt || view.getUint32(at, true) !== 0x04034b50) {
    throw broken(`${quote(said.path)} is not at the place declared in the directory`)
  }
  const nameLength = view.getUint16(at + 26, true)
  const start = at + localSize + nameLength + view.getUint16(at + 28, true)
  if (start + said.packed > directoryAt) throw broken(`${quote(said.path)} is cut off`)
  const flags = view.getUint16(at + 6, true)
  const sizes = [14, 18, 22].map((field) => view.getUint32(at + field, true))
  const areSame = [said.crc, said.packed, said.size].every((value, index) => value === sizes[index])
  const isSame =
    readName(zip, at + localSize, nameLength) === said.path &&
    view.getUint16(at + 8, true) === said.method &&
    (flags & encrypted) === 0 &&
    // In streamed archives, the sizes follow the content.
    (areSame || (flags & sizesFollow & said.flags) !== 0)
  if (!isSame) throw broken(`${quote(said.path)} does not match its entry in the directory`)
  return start
}

/** Links and devices are not allowed in a skill. Archives made on Unix record the file type. */
function checkKind(path: string, view: DataView, at: number): void {
  const madeOn = view.getUint8(at + 5)
  const kind = (view.getUint32(at + 38, true) >>> 16) & 0xf000
  const isUnix = madeOn === 3 || madeOn === 19
  if (!isUnix || kind === 0 || kind === 0x8000 || kind === 0x4000) return
  throw broken(`${quote(path)} is a ${kind === 0xa000 ? 'symbolic link' : 'special file'}`)
}

function readName(zip: Uint8Array, at: number, length: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      zip.subarray(at, at + length),
    )
  } catch {
    throw broken('a name in it is not UTF-8')
  }
}

/** Files that share their bytes are how a small zip becomes a large one. */
function refuseOverlaps(entries: readonly ZipEntry[]): void {
  const sorted = entries.toSorted((a, b) => a.headerAt - b.headerAt)
  for (const [index, entry] of sorted.entries()) {
    const next = sorted[index + 1]
    if (next !== undefined && next.headerAt < entry.end) {
      throw broken(`${quote(entry.path)} and ${quote(next.path)} share their content`)
    }
  }
}

function quote(path: string): string {
  return JSON.stringify(path.slice(0, 200))
}

function broken(why: string): ToolError {
  return new ToolError('invalid_skill', `The zip cannot be used: ${why}`, {
    fix: 'Pack the folder again: toolcrib skills install PATH does so automatically.',
  })
}

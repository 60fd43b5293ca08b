import { damagedBackup } from './damaged-backup.ts'
import { parsePax, toPax } from './pax-fields.ts'

const blockBytes = 512
const fileType = '0'
const linkType = '2'
const folderType = '5'
/** Facts about the next entry that its own block has no room for. */
const paxType = 'x'
/** Two empty blocks. */
export const archiveEnd = new Uint8Array(2 * blockBytes)

/** Of a file or folder in a tar archive; a folder's name ends in a slash. */
export interface TarHead {
  name: string
  bytes: number
  mode?: number
  modifiedMs?: number
  /** Of a link: the text in it. */
  target?: string | undefined
}

const mostNameBytes = 100
const mostOctalBytes = 0o77777777777
const mostPaxBytes = 65_536

/** The blocks before a file's bytes, as POSIX (ustar, and pax where needed) has them. */
export function toTarHead(head: TarHead): Uint8Array {
  const { name, bytes, target = '', modifiedMs } = head
  const fields: Record<string, string> = {
    ...(!isPlain(name) && { path: name }),
    ...(!isPlain(target) && { linkpath: target }),
    ...(bytes > mostOctalBytes && { size: String(bytes) }),
    // In full: what is known about a file is compared with this.
    ...(modifiedMs !== undefined && { 'TOOLCRIB.modified_ms': String(modifiedMs) }),
  }
  const block = toBlock(head, name.endsWith('/') ? folderType : typeOf(head))
  if (Object.keys(fields).length === 0) return block
  const pax = toPax(fields)
  const before = toBlock({ name: 'facts-of-next-entry', bytes: pax.length }, paxType)
  return Buffer.concat([before, pax, toTarPadding(pax.length), block])
}

function typeOf({ target }: TarHead): string {
  return target === undefined ? fileType : linkType
}

function isPlain(text: string): boolean {
  return text.length <= mostNameBytes && /^[\x21-\x7e]*$/.test(text)
}

function toBlock({ name, bytes, mode, modifiedMs = 0, target = '' }: TarHead, type: string) {
  const head = Buffer.alloc(blockBytes)
  const usual = type === folderType ? 0o700 : 0o600
  head.write(name.slice(0, mostNameBytes), 0, mostNameBytes)
  head.write(`${octal(mode ?? usual, 7)}\0`, 100)
  head.write('0000000\0', 108)
  head.write('0000000\0', 116)
  head.write(`${octal(Math.min(bytes, mostOctalBytes), 11)}\0`, 124)
  head.write(`${octal(Math.max(0, Math.floor(modifiedMs / 1000)), 11)}\0`, 136)
  head.write('        ', 148)
  head.write(type, 156)
  head.write(target.slice(0, mostNameBytes), 157, mostNameBytes)
  head.write('ustar\u000000', 257)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${octal(sum, 6)}\0 `, 148)
  return head
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

/** Padding of the last block of a file. */
export function toTarPadding(bytes: number): Uint8Array {
  return new Uint8Array((blockBytes - (bytes % blockBytes)) % blockBytes)
}

/** One entry while an archive is read: its content has to be read before the next entry. */
export interface TarEntry extends TarHead {
  content: AsyncIterable<Uint8Array>
}

/** Reads an archive of our own making piece by piece; one that is cut off is damaged. */
export async function* readTar(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = createReader(pieces)
  let fields: Readonly<Record<string, string>> = {}
  for (;;) {
    const block = await reader.take(blockBytes)
    if (block.every((byte) => byte === 0)) return
    const { type, ...head } = parseHead(block)
    if (type === paxType) {
      if (head.bytes > mostPaxBytes) throw notABackup()
      fields = parsePax(await reader.take(head.bytes))
      await reader.take(toTarPadding(head.bytes).length)
      continue
    }
    const full = withFields(head, fields)
    fields = {}
    let left = full.bytes
    const content = async function* read() {
      while (left > 0) {
        const piece = await reader.some(left)
        left -= piece.length
        yield piece
      }
    }
    yield { ...full, content: content() }
    while (left > 0) left -= (await reader.some(left)).length
    await reader.take(toTarPadding(full.bytes).length)
  }
}

function withFields(head: TarHead, fields: Readonly<Record<string, string>>): TarHead {
  const { path, linkpath, size, 'TOOLCRIB.modified_ms': modified } = fields
  const bytes = size === undefined ? head.bytes : Number(size)
  const modifiedMs = modified === undefined ? head.modifiedMs : Number(modified)
  if (!Number.isSafeInteger(bytes) || bytes < 0 || !Number.isFinite(modifiedMs)) throw notABackup()
  const target = head.target === undefined ? undefined : (linkpath ?? head.target)
  return { ...head, name: path ?? head.name, bytes, modifiedMs: modifiedMs ?? 0, target }
}

function parseHead(head: Buffer): TarHead & { type: string } {
  const sum = Number.parseInt(text(head, 148, 8), 8)
  const blank = Buffer.from(head).fill(' ', 148, 156)
  const isWhole = blank.reduce((total, byte) => total + byte, 0) === sum
  const [mode = 0, bytes = 0, seconds = 0] = [
    [100, 8] as const,
    [124, 12] as const,
    [136, 12] as const,
  ].map(([start, length]) => Number.parseInt(text(head, start, length), 8))
  const type = text(head, 156, 1)
  const isKnown = [fileType, folderType, linkType, paxType].includes(type)
  if (!isWhole || !isKnown || !Number.isSafeInteger(bytes)) throw notABackup()
  const target = type === linkType ? text(head, 157, 100) : undefined
  return { type, name: text(head, 0, 100), bytes, mode, modifiedMs: seconds * 1000, target }
}

function notABackup() {
  return damagedBackup('This is not a backup of Toolcrib, or it is damaged.')
}

function text(head: Buffer, start: number, length: number): string {
  const field = head.toString('utf8', start, start + length)
  const end = field.indexOf('\0')
  return (end === -1 ? field : field.slice(0, end)).trim()
}

function createReader(pieces: AsyncIterable<Uint8Array>) {
  const source = pieces[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  /** At least one byte, and at most `most`. */
  async function some(most: number): Promise<Buffer> {
    while (held.length === 0) {
      const { done, value } = await source.next()
      if (done === true) throw damagedBackup('The backup is cut off: its end is missing.')
      held = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
    const piece = held.subarray(0, most)
    held = held.subarray(piece.length)
    return piece
  }
  async function take(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = count; left > 0;) {
      const piece = await some(left)
      parts.push(piece)
      left -= piece.length
    }
    return Buffer.concat(parts)
  }
  return { some, take }
}

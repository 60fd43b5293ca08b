import { damaged } from '../engine/store-error.ts'

const blockBytes = 512
const fileType = '0'
const folderType = '5'
/** Two empty blocks. */
export const archiveEnd = new Uint8Array(2 * blockBytes)

/** Of a file or folder in a tar archive; a folder's name ends in a slash. */
export interface TarHead {
  name: string
  bytes: number
}

/** The block before a file's bytes, as POSIX (ustar) has it. */
export function toTarHead({ name, bytes }: TarHead): Uint8Array {
  const head = Buffer.alloc(blockBytes)
  const isFolder = name.endsWith('/')
  if (Buffer.byteLength(name) > 100) throw new TypeError(`${name} is too long for an archive`)
  head.write(name, 0)
  head.write(isFolder ? '0000700\0' : '0000600\0', 100)
  head.write('0000000\0', 108)
  head.write('0000000\0', 116)
  head.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  head.write('00000000000\0', 136)
  head.write('        ', 148)
  head.write(isFolder ? folderType : fileType, 156)
  head.write('ustar\u000000', 257)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return head
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
  for (;;) {
    const head = await reader.take(blockBytes)
    if (head.every((byte) => byte === 0)) return
    const { name, bytes } = parseHead(head)
    let left = bytes
    const content = async function* read() {
      while (left > 0) {
        const piece = await reader.some(left)
        left -= piece.length
        yield piece
      }
    }
    yield { name, bytes, content: content() }
    while (left > 0) left -= (await reader.some(left)).length
    await reader.take(toTarPadding(bytes).length)
  }
}

function parseHead(head: Buffer): TarHead {
  const sum = Number.parseInt(text(head, 148, 8), 8)
  const blank = Buffer.from(head).fill(' ', 148, 156)
  const isWhole = blank.reduce((total, byte) => total + byte, 0) === sum
  const bytes = Number.parseInt(text(head, 124, 12), 8)
  const isKnown = [fileType, folderType].includes(text(head, 156, 1))
  if (!isWhole || !isKnown || !Number.isSafeInteger(bytes)) {
    throw damaged('This is not a backup of Toolcrib, or it is damaged.')
  }
  return { name: text(head, 0, 100), bytes }
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
      if (done === true) throw damaged('The backup is cut off: its end is missing.')
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

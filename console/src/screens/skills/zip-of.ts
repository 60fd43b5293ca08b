/** A file in the zip, by its path. */
export interface PackedFile {
  path: string
  bytes: Uint8Array
}

const mostBytes = 20_000_000

/**
 * An uncompressed zip: a skill written here or chosen as a folder is uploaded in the format the API
 * takes. Written by hand because it is short; a skill has at most 20 MB.
 */
export function zipOf(files: readonly PackedFile[]): Uint8Array<ArrayBuffer> {
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (total > mostBytes) throw new Error('A skill can have at most 20 MB')
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { path, bytes } of files) {
    const name = encoder.encode(path)
    const facts = { name, size: bytes.length, sum: crc32(bytes) }
    const head = headerOf(facts)
    parts.push(head, name, bytes)
    directory.push(entryOf(facts, offset), name)
    offset += head.length + name.length + bytes.length
  }
  const directorySize = directory.reduce((sum, part) => sum + part.length, 0)
  return join([...parts, ...directory, endOf({ count: files.length, directorySize, offset })])
}

interface Facts {
  name: Uint8Array
  size: number
  sum: number
}

function headerOf(facts: Facts): Uint8Array {
  return numbers([[0x04034b50, 4], ...saidTwice(facts)])
}

function entryOf(facts: Facts, offset: number): Uint8Array {
  return numbers([
    [0x02014b50, 4],
    [20, 2],
    ...saidTwice(facts),
    [0, 2],
    [0, 2],
    [0, 2],
    [0, 4],
    [offset, 4],
  ])
}

/**
 * The header of a file, repeated in the directory at the end. 0x0800: names are UTF-8. The time is
 * 1980-01-01, the earliest a zip can express.
 */
function saidTwice({ name, size, sum }: Facts): [number, number][] {
  return [
    [20, 2],
    [0x0800, 2],
    [0, 2],
    [0, 2],
    [0x21, 2],
    [sum, 4],
    [size, 4],
    [size, 4],
    [name.length, 2],
    [0, 2],
  ]
}

function endOf(end: { count: number; directorySize: number; offset: number }): Uint8Array {
  return numbers([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [end.count, 2],
    [end.count, 2],
    [end.directorySize, 4],
    [end.offset, 4],
    [0, 2],
  ])
}

function numbers(values: readonly (readonly [value: number, bytes: number])[]): Uint8Array {
  const bytes = new Uint8Array(values.reduce((sum, [, size]) => sum + size, 0))
  let at = 0
  for (const [value, size] of values) {
    for (let index = 0; index < size; index += 1) bytes[at + index] = (value >>> (8 * index)) & 0xff
    at += size
  }
  return bytes
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}

/** The column types our row types use, with their fixed object ids. */
const typeIds = { text: 25, uuid: 2950, int: 23, bigint: 20, bytea: 17 } as const

export type ColumnType = keyof typeof typeIds
export type RowField = string | number | Uint8Array | null
export type Columns = readonly (readonly [name: string, type: ColumnType])[]

/** Of an array: dimensions, flags, element type, length and lower bound. */
const headerBytes = 20

/**
 * Rows as one parameter: an array of a composite type, in PostgreSQL's binary format. Measured on
 * PGlite at 512 rows of 20 columns, `unnest` of this costs 7 µs a row, of text arrays 17 µs, of
 * `jsonb_to_recordset` 19 µs; and nothing in a string needs escaping.
 */
export function encodeRows(
  typeId: number,
  columns: Columns,
  rows: readonly (readonly RowField[])[],
): Uint8Array {
  const out = new ByteSink(headerBytes + rows.length * 512)
  encodeHead(out, typeId, rows.length)
  for (const row of rows) encodeRow(out, columns, row)
  return out.bytes()
}

/** The rows one after the other, to be kept until `joinRows` makes one parameter of many such. */
export function encodePart(columns: Columns, rows: readonly (readonly RowField[])[]): Uint8Array {
  const out = new ByteSink(rows.length * 1024)
  for (const row of rows) encodeRow(out, columns, row)
  return out.bytes()
}

/** The result of `encodeRows` for all these rows. */
export function joinRows(
  typeId: number,
  parts: readonly Uint8Array[],
  rowCount: number,
): Uint8Array {
  const head = new ByteSink(headerBytes)
  encodeHead(head, typeId, rowCount)
  return Buffer.concat([head.bytes(), ...parts])
}

/** The rows of a part, up to the first that is truncated or invalid, which is reported. */
export function decodePart(
  columns: Columns,
  part: Buffer,
): { rows: RowField[][]; isDamaged: boolean } {
  const rows: RowField[][] = []
  for (let at = 0; at + 4 <= part.length;) {
    const end = at + 4 + part.readInt32BE(at)
    if (end <= at + 4 || end > part.length) break
    try {
      rows.push(decodeRow(columns, part.subarray(at + 4, end)))
    } catch {
      return { rows, isDamaged: true }
    }
    at = end
  }
  return { rows, isDamaged: false }
}

function decodeRow(columns: Columns, bytes: Buffer): RowField[] {
  let at = 4
  return columns.map(([, type]) => {
    const length = bytes.readInt32BE(at + 4)
    at += 8
    if (length < 0) return null
    const field = bytes.subarray(at, at + length)
    at += length
    return decodeField(type, field)
  })
}

function decodeField(type: ColumnType, field: Buffer): RowField {
  if (type === 'int') return field.readInt32BE()
  if (type === 'bigint') return Number(field.readBigInt64BE())
  if (type === 'uuid') return field.toString('hex')
  return type === 'bytea' ? field : field.toString('utf8')
}

function encodeHead(out: ByteSink, typeId: number, rowCount: number): void {
  out.int(1)
  out.int(0)
  out.int(typeId)
  out.int(rowCount)
  out.int(1)
}

function encodeRow(out: ByteSink, columns: Columns, row: readonly RowField[]): void {
  const start = out.skip()
  out.int(columns.length)
  for (let index = 0; index < columns.length; index++) {
    const type = columns[index]?.[1] ?? 'text'
    out.int(typeIds[type])
    const field = row[index]
    if (field === null || field === undefined) out.int(-1)
    else encodeField(out, type, field)
  }
  out.patch(start)
}

function encodeField(out: ByteSink, type: ColumnType, field: string | number | Uint8Array): void {
  if (typeof field === 'number') {
    if (type === 'bigint') return out.bigint(field)
    out.int(4)
    return out.int(field)
  }
  if (typeof field !== 'string') return out.raw(field)
  if (type === 'uuid') return out.uuid(field)
  out.text(field)
}

/** Bytes that grow; kept plain because every field of every hot write goes through it. */
class ByteSink {
  #buffer: Buffer
  #at = 0

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(size)
  }

  int(value: number): void {
    this.#reserve(4)
    this.#at = this.#buffer.writeInt32BE(value, this.#at)
  }

  bigint(value: number): void {
    this.#reserve(12)
    const high = Math.floor(value / 0x1_0000_0000)
    this.#buffer.writeInt32BE(8, this.#at)
    this.#buffer.writeInt32BE(high, this.#at + 4)
    this.#buffer.writeUInt32BE(value - high * 0x1_0000_0000, this.#at + 8)
    this.#at += 12
  }

  /** 32 hex digits. */
  uuid(hex: string): void {
    this.#reserve(20)
    this.#buffer.writeInt32BE(16, this.#at)
    this.#buffer.write(hex, this.#at + 4, 'hex')
    this.#at += 20
  }

  /** Lone surrogates become U+FFFD here, as in every UTF-8 encoder. */
  text(value: string): void {
    this.#reserve(4 + value.length * 3)
    const length = this.#buffer.write(value, this.#at + 4, 'utf8')
    this.#buffer.writeInt32BE(length, this.#at)
    this.#at += 4 + length
  }

  raw(value: Uint8Array): void {
    this.int(value.byteLength)
    this.#reserve(value.byteLength)
    this.#buffer.set(value, this.#at)
    this.#at += value.byteLength
  }

  /** Reserves space for a length and returns its offset. */
  skip(): number {
    this.#reserve(4)
    this.#at += 4
    return this.#at
  }

  patch(start: number): void {
    this.#buffer.writeInt32BE(this.#at - start, start - 4)
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#at)
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes
    if (needed <= this.#buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2))
    this.#buffer.copy(grown, 0, 0, this.#at)
    this.#buffer = grown
  }
}

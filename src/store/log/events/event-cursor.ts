import { ToolError } from '../../../core/kernel/errors.ts'

/**
 * A place in the feed of a tenant: `era` counts the databases the events have lived in (transaction
 * numbers restart in each), `xid` is the transaction, then stream and number within it.
 */
export interface EventPosition {
  era: number
  xid: string
  /** 32 hex digits. */
  stream: string
  seq: number
}

/** Before everything. */
export const startPosition: EventPosition = { era: 0, xid: '0', stream: '0'.repeat(32), seq: 0 }

const cursorBytes = 32
const cursorPattern = /^[A-Za-z0-9_-]{43}$/

/** The opaque id of an event, and the cursor to read on from. */
export function encodeCursor(position: EventPosition): string {
  return encodeCursorBytes(position).toString('base64url')
}

/** The same as bytes, which sort as the feed does. */
export function encodeCursorBytes({ era, xid, stream, seq }: EventPosition): Buffer {
  const bytes = Buffer.allocUnsafe(cursorBytes)
  bytes.writeUInt32BE(era, 0)
  bytes.writeBigUInt64BE(BigInt(xid), 4)
  bytes.write(stream, 12, 'hex')
  bytes.writeUInt32BE(seq, 28)
  return bytes
}

/** Takes what `encodeCursor` made and nothing else. */
export function parseCursor(text: string): EventPosition {
  return decodeCursorBytes(decodeCursor(text))
}

/** Back from bytes that `encodeCursorBytes` made. */
export function decodeCursorBytes(stored: Uint8Array): EventPosition {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  return {
    era: bytes.readUInt32BE(0),
    xid: bytes.readBigUInt64BE(4).toString(),
    stream: bytes.toString('hex', 12, 28),
    seq: bytes.readUInt32BE(28),
  }
}

/** The order of the feed: the bytes of a cursor are in the order of its columns, highest first. */
export function compareCursors(left: string, right: string): number {
  return Buffer.compare(decodeCursor(left), decodeCursor(right))
}

function decodeCursor(text: string): Buffer {
  const bytes = Buffer.from(cursorPattern.test(text) ? text : '', 'base64url')
  const isExact = bytes.length === cursorBytes && bytes.toString('base64url') === text
  const era = isExact ? bytes.readUInt32BE(0) : Infinity
  const seq = isExact ? bytes.readUInt32BE(28) : Infinity
  if (era > 0x7fff_ffff || seq > 0x7fff_ffff) {
    throw new ToolError('invalid_request', 'That is not an event id to read on from.', {
      fix: 'Use the id of an event or the `next` of a page as it was given; without one, reading starts at the beginning.',
    })
  }
  return bytes
}

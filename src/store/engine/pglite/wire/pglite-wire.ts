import { parse, protocol } from '@electric-sql/pglite'
import type { TextRow } from '../../engine.ts'
import type { Database } from '../pglite-database.ts'
import { parsers } from './pglite-values.ts'
import type { Replies } from './wire.ts'

const { serialize } = protocol
const code = (letter: string) => letter.charCodeAt(0)
const [dataRow, commandComplete, errorResponse] = [code('D'), code('C'), code('E')]
/** A letter for the kind, four bytes for the length, which counts itself. */
const headerBytes = 5

type Message = Parameters<Parameters<InstanceType<typeof protocol.Parser>['parse']>[1]>[0]

/**
 * Sends messages and reads the rows that come back. PGlite's own reader copies every field before it
 * decodes it, which was a tenth of the time of a background call.
 */
export async function exchange(database: Database, message: Uint8Array): Promise<Replies> {
  return readReplies(await database.send(message))
}

/** Sends messages and returns every reply. */
export async function converse(database: Database, message: Uint8Array): Promise<Message[]> {
  const messages: Message[] = []
  new protocol.Parser().parse(await database.send(message), (reply) => {
    if (reply.name === 'error') throw reply
    messages.push(reply)
  })
  return messages
}

/** Any number of statements without values. */
export async function execute(
  database: Database,
  text: string,
): Promise<{ rows: Record<string, unknown>[] }[]> {
  const messages = await converse(database, serialize.query(text))
  return parse.parseResults(messages, parsers)
}

/**
 * Binds values to a prepared statement, runs it and ends: one message of the right size. Text travels
 * as text, bytes in PostgreSQL's binary format.
 */
export function toRunMessage(
  name: string,
  values: readonly (string | Uint8Array | null)[],
): Uint8Array {
  const sizes = values.map((value) =>
    typeof value === 'string' ? Buffer.byteLength(value) : (value?.byteLength ?? 0),
  )
  const nameBytes = Buffer.byteLength(name)
  // The length itself, an empty portal, the name, three counts and two numbers for each value.
  const bindLength = 4 + 1 + nameBytes + 1 + 6 + values.length * 6 + sum(sizes)
  const out = Buffer.allocUnsafe(1 + bindLength + runAndSync.length)
  let at = out.writeUInt8(code('B'))
  at = out.writeInt32BE(bindLength, at)
  at = out.writeUInt8(0, at)
  at += out.write(name, at)
  at = out.writeUInt8(0, at)
  at = out.writeInt16BE(values.length, at)
  for (const value of values) at = out.writeInt16BE(value instanceof Uint8Array ? 1 : 0, at)
  at = out.writeInt16BE(values.length, at)
  for (const [index, value] of values.entries()) {
    at = out.writeInt32BE(value === null ? -1 : (sizes[index] ?? 0), at)
    if (typeof value === 'string') at += out.write(value, at)
    else if (value !== null) {
      out.set(value, at)
      at += value.byteLength
    }
  }
  // All columns as text.
  at = out.writeInt16BE(0, at)
  out.set(runAndSync, at)
  return out
}

/** `Execute` of the portal without a name and without a limit, then `Sync`. */
const runAndSync = Buffer.concat([serialize.execute(), serialize.sync()])

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function readReplies(bytes: Buffer): Replies {
  const rows: TextRow[] = []
  let tag = ''
  for (let at = 0; at < bytes.length;) {
    const kind = bytes[at]
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (kind === dataRow) rows.push(readRow(bytes, at + headerBytes))
    else if (kind === commandComplete) tag = bytes.toString('latin1', at + headerBytes, end - 1)
    else if (kind === errorResponse) throw readError(bytes.subarray(at, end))
    at = end
  }
  return { rows, tag }
}

function readRow(bytes: Buffer, start: number): TextRow {
  const fields: (string | null)[] = []
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length < 0) fields.push(null)
    else {
      fields.push(bytes.toString('utf8', at, at + length))
      at += length
    }
  }
  return fields
}

/** In PGlite's words, which everybody above knows. */
function readError(bytes: Buffer): unknown {
  let error: unknown
  new protocol.Parser().parse(bytes, (reply) => (error = reply))
  return error
}

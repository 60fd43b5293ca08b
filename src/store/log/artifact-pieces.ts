import type { Engine, Statement } from '../engine/engine.ts'

const pieceBytes = 256 * 1024

/** Writes the pieces of an artifact one by one. Returns how many bytes they were. */
export async function writePieces(
  engine: Engine,
  artifactId: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  let total = 0
  let position = 0
  for await (const piece of pieces) {
    await engine.run(insertPiece, [artifactId, position, piece])
    position += 1
    total += piece.length
  }
  return total
}

/** Regroups input of any sizes into pieces, holding one at a time. */
export async function* gatherPieces(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(pieceBytes)
  let filled = 0
  for await (const part of parts) {
    for (let at = 0; at < part.length;) {
      const some = part.subarray(at, at + pieceBytes - filled)
      piece.set(some, filled)
      at += some.length
      filled += some.length
      if (filled < pieceBytes) continue
      yield piece
      piece = new Uint8Array(pieceBytes)
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

/** Bytes in pieces. */
export function* cutBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** UTF-8 in pieces of exactly the same size, so that a byte's place is computed, not searched for. */
export function* cutText(text: string): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  // Room for one more code point, so that a piece is always full while text is left.
  const buffer = new Uint8Array(pieceBytes + 4)
  let filled = 0
  let at = 0
  while (at < text.length) {
    const { read, written } = encoder.encodeInto(sliceWhole(text, at), buffer.subarray(filled))
    at += read
    filled += written
    if (filled < pieceBytes) continue
    yield buffer.slice(0, pieceBytes)
    buffer.copyWithin(0, pieceBytes, filled)
    filled -= pieceBytes
  }
  if (filled > 0) yield buffer.slice(0, filled)
}

/** Enough text to fill a piece, without cutting a surrogate pair in two. */
function sliceWhole(text: string, at: number): string {
  const end = at + pieceBytes
  const last = text.charCodeAt(end - 1)
  return text.slice(at, last >= 0xd800 && last <= 0xdbff ? end + 1 : end)
}

/** At most `limit` bytes from `offset`. */
export async function readPieces(
  engine: Engine,
  artifactId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Uint8Array> {
  const chunk = new Uint8Array(limit)
  if (limit === 0) return chunk
  const first = Math.floor(offset / pieceBytes)
  const last = Math.floor((offset + limit - 1) / pieceBytes)
  for (const row of await engine.run(selectPieces, [artifactId, first, last])) {
    const start = Number(row[0]) * pieceBytes
    const content = Buffer.from(row[1] ?? '', 'base64')
    const part = content.subarray(Math.max(0, offset - start), offset + limit - start)
    chunk.set(part, Math.max(0, start - offset))
  }
  return chunk
}

/** Bytes go in as bytes: written as hex, fifty megabytes kept the embedded engine's thread busy for seven seconds. */
const insertPiece: Statement = {
  name: 'insert_artifact_piece',
  text: `insert into artifact_pieces (artifact_id, position, content)
    values ($1::uuid, $2::int, $3::bytea)`,
}

const selectPieces: Statement = {
  name: 'read_artifact_pieces',
  text: `select position::text, encode(content, 'base64') from artifact_pieces
    where artifact_id = $1::uuid and position between $2::int and $3::int`,
}

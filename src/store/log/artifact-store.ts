import { createUuid } from '../../core/ids.ts'
import type { ArtifactContent, ArtifactPage } from '../../core/artifact.ts'
import type { ArtifactStore } from '../../core/artifact-store.ts'
import type { Engine, Statement } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { parseCallId, requireCallId } from './call-id.ts'
import { toStoredText } from './stored-text.ts'

const pieceBytes = 256 * 1024
/** No page is larger, whatever was asked for. */
const maxPageBytes = 4 * 1024 * 1024
const abandonedAfterMs = 60 * 60_000

/**
 * Outputs too large for an answer, in pieces: writing one holds one piece in memory and no
 * transaction open, reading takes the pieces of the page alone. It counts once its size is set.
 */
export function createArtifactStore(engine: Engine): ArtifactStore {
  return {
    async put(tenant, callId, content) {
      const { mediaType } = content
      const id = createUuid()
      const row = {
        id,
        tenant: toStoredText(tenant),
        call_id: requireCallId(callId),
        media_type: toStoredText(mediaType),
        created_ms: Date.now(),
      }
      try {
        await engine.db.insertInto('artifacts').values(row).execute()
        const bytes = await putPieces(engine, id, content)
        await engine.db.updateTable('artifacts').set({ bytes }).where('id', '=', id).execute()
        engine.noteWrites(0)
        return { id: toArtifactId(id), bytes, mediaType }
      } catch (error) {
        throw toStoreError(error)
      }
    },
    async read(tenant, callId, range) {
      const uuid = parseCallId(callId)
      if (uuid === undefined) return undefined
      try {
        return await readPage(engine, { tenant: toStoredText(tenant), callId: uuid }, range)
      } catch (error) {
        throw toStoreError(error)
      }
    },
    async remove(tenant, callId, id) {
      const [call, artifact] = [parseCallId(callId), parseArtifactId(id)]
      if (call === undefined || artifact === undefined) return
      try {
        await engine.db
          .deleteFrom('artifacts')
          .where('tenant', '=', toStoredText(tenant))
          .where('call_id', '=', call)
          .where('id', '=', artifact)
          .execute()
      } catch (error) {
        throw toStoreError(error)
      }
    },
  }
}

/** Removes what a process left half written. */
export async function removeAbandonedArtifacts(engine: Engine): Promise<void> {
  await engine.db
    .deleteFrom('artifacts')
    .where('bytes', 'is', null)
    .where('created_ms', '<', Date.now() - abandonedAfterMs)
    .execute()
}

async function putPieces(
  engine: Engine,
  artifactId: string,
  content: ArtifactContent,
): Promise<number> {
  let total = 0
  let position = 0
  for (const piece of 'text' in content ? cutPieces(content.text) : cutBytes(content.bytes)) {
    await engine.run(insertPiece, [artifactId, position, piece])
    position += 1
    total += piece.length
  }
  return total
}

function* cutBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** UTF-8 in pieces of exactly the same size, so that a byte's place is computed, not searched for. */
function* cutPieces(text: string): Generator<Uint8Array> {
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

async function readPage(
  engine: Engine,
  { tenant, callId }: { tenant: string; callId: string },
  range: { offset: number; limit: number; id?: string },
): Promise<ArtifactPage | undefined> {
  let found = engine.db
    .selectFrom('artifacts')
    .select(['id', 'bytes', 'media_type'])
    .where('tenant', '=', tenant)
    .where('call_id', '=', callId)
    .where('bytes', 'is not', null)
  if (range.id !== undefined) {
    const id = parseArtifactId(range.id)
    if (id === undefined) return undefined
    found = found.where('id', '=', id)
  }
  const artifact = await found.orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (artifact === undefined) return undefined
  const bytes = Number(artifact.bytes)
  const offset = Math.min(Math.max(0, Math.trunc(range.offset) || 0), bytes)
  const limit = Math.min(Math.max(0, Math.trunc(range.limit) || 0), maxPageBytes, bytes - offset)
  const chunk = await readBytes(engine, artifact.id, { offset, limit })
  return { id: toArtifactId(artifact.id), bytes, mediaType: artifact.media_type, offset, chunk }
}

async function readBytes(
  engine: Engine,
  artifactId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Uint8Array> {
  const chunk = new Uint8Array(limit)
  if (limit === 0) return chunk
  const first = Math.floor(offset / pieceBytes)
  const last = Math.floor((offset + limit - 1) / pieceBytes)
  for (const row of await engine.run(readPieces, [artifactId, first, last])) {
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

const readPieces: Statement = {
  name: 'read_artifact_pieces',
  text: `select position::text, encode(content, 'base64') from artifact_pieces
    where artifact_id = $1::uuid and position between $2::int and $3::int`,
}

function toArtifactId(uuid: string): string {
  return `art_${uuid.replaceAll('-', '')}`
}

function parseArtifactId(id: string): string | undefined {
  return /^art_([0-9a-f]{32})$/.exec(id)?.[1]
}

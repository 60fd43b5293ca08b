import { createUuid } from '../../core/kernel/ids.ts'
import type { ArtifactContent, ArtifactPage } from '../../core/kernel/artifact.ts'
import type { ArtifactStore } from '../../core/artifact-store.ts'
import type { Engine } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { cutBytes, cutText, readPieces, writePieces } from './artifact-pieces.ts'
import { parseCallId, requireCallId } from './call-id.ts'
import { toStoredText } from './stored-text.ts'

/** No page is larger, whatever the limit asked for. */
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
        created_ms: engine.now(),
      }
      try {
        await engine.db.insertInto('artifacts').values(row).execute()
        const bytes = await writePieces(engine, id, toPieces(content))
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
    .where('created_ms', '<', engine.now() - abandonedAfterMs)
    .execute()
}

function toPieces(content: ArtifactContent): Iterable<Uint8Array> {
  return 'text' in content ? cutText(content.text) : cutBytes(content.bytes)
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
  const chunk = await readPieces(engine, artifact.id, { offset, limit })
  return { id: toArtifactId(artifact.id), bytes, mediaType: artifact.media_type, offset, chunk }
}

function toArtifactId(uuid: string): string {
  return `art_${uuid.replaceAll('-', '')}`
}

function parseArtifactId(id: string): string | undefined {
  return /^art_([0-9a-f]{32})$/.exec(id)?.[1]
}

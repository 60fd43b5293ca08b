import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { createUuid } from '../../../core/kernel/ids.ts'
import type { UploadStart, UploadStore } from '../../../core/uploads/upload-store.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toPage } from '../../../store/engine/page.ts'
import { gatherPieces, readPieces, writePieces } from '../../../store/log/artifact-pieces.ts'
import { removeAbandonedArtifacts } from '../../../store/log/artifact-store.ts'
import { requireCallId } from '../../../store/log/call-id.ts'
import { toPrincipalText } from '../../../store/log/principal-text.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { recordEventOf } from '../../../store/log/record-events.ts'
import { parseUploadId, toUpload, toUploadId, type UploadRow } from './upload-rows.ts'
import { sweepUploads } from './sweep-uploads.ts'

/** No page is larger, whatever the limit asked for. */
const maxPageBytes = 4 * 1024 * 1024

/** Files that were handed in: a row of their own, and an artifact that belongs to no call. */
export function createUploadStore(engine: Engine): UploadStore {
  return {
    put: (start, pieces) => guarded(() => put(engine, start, pieces)),
    find: (tenant, id) =>
      guarded(async () => {
        const row = await findRow(engine, tenant, id)
        return row && toUpload(row)
      }),
    list: (tenant, query) => guarded(() => list(engine, tenant, query)),
    read: (tenant, id, range) =>
      guarded(async () => {
        const row = await findRow(engine, tenant, id)
        if (row === undefined) return undefined
        const { bytes } = row
        const offset = Math.min(Math.max(0, range.offset), bytes)
        const limit = Math.min(Math.max(0, range.limit), maxPageBytes, bytes - offset)
        return readPieces(engine, row.id, { offset, limit })
      }),
    use: (tenant, callId, ids) =>
      guarded(async () => {
        const uuids = ids.flatMap((id) => parseUploadId(id) ?? [])
        // The lock waits for a sweep that removes one of them; then it is not there any more.
        const { rows } = await sql<{ id: string }>`with found as (select id from uploads
            where tenant = ${toStoredText(tenant)} and id = any (${toArray(uuids)}::uuid[])
            for key share),
          used as (insert into upload_uses (upload_id, call_id, tenant, used_ms)
            select id, ${requireCallId(callId)}::uuid, ${toStoredText(tenant)}, ${engine.now()}::bigint
            from found on conflict do nothing)
          select id::text as id from found`.execute(engine.db)
        return rows.map(({ id }) => toUploadId(id))
      }),
    remove: (tenant, id, by) =>
      changeIn(engine, async (db) => {
        const uuid = parseUploadId(id)
        if (uuid === undefined) return false
        const { rows } = await sql`delete from artifacts where id in (select id from uploads
          where tenant = ${toStoredText(tenant)} and id = ${uuid}::uuid) returning id`.execute(db)
        if (rows.length === 0) return false
        await recordEventOf(db, { tenant, by }, { type: 'upload.deleted', data: { upload: id } })
        return true
      }),
    countBytes: (tenant) =>
      guarded(async () => {
        const { rows } = await sql<{ total: string }>`select coalesce(sum(bytes), 0)::text as total
          from uploads where tenant = ${toStoredText(tenant)}`.execute(engine.db)
        return Number(rows[0]?.total ?? 0)
      }),
    sweep: (options) =>
      guarded(async () => {
        await removeAbandonedArtifacts(engine)
        return sweepUploads(engine, options)
      }),
  }
}

async function put(
  engine: Engine,
  start: UploadStart,
  pieces: AsyncIterable<Uint8Array>,
): ReturnType<UploadStore['put']> {
  const id = createUuid()
  const tenant = toStoredText(start.tenant)
  const createdMs = engine.now()
  const hash = createHash('sha256')
  // It belongs to itself: no call has it yet, and several may later.
  const place = { id, tenant, call_id: id, created_ms: createdMs }
  const mediaType = toStoredText(start.mediaType)
  await engine.db
    .insertInto('artifacts')
    .values({ ...place, media_type: mediaType })
    .execute()
  try {
    const bytes = await writePieces(engine, id, hashed(gatherPieces(pieces), hash))
    const row = {
      id,
      tenant,
      principal: toPrincipalText(start.principal),
      name: toStoredText(start.name),
      bytes,
      sha256: hash.digest('hex'),
      created_ms: createdMs,
      look_ms: createdMs + start.keepMs,
    }
    return await changeIn(engine, async (db) => {
      await db.updateTable('artifacts').set({ bytes }).where('id', '=', id).execute()
      await db.insertInto('uploads').values(row).execute()
      const upload = toUpload({ ...row, media_type: mediaType })
      const { name, sha256 } = upload
      const facts = { upload: upload.id, name, mediaType: upload.mediaType, bytes, sha256 }
      const by = { tenant: start.tenant, by: start.principal }
      await recordEventOf(db, by, { type: 'upload.stored', data: facts })
      return upload
    })
  } catch (error) {
    // The sweep removes leftovers: the upload never got its size.
    await engine.db
      .deleteFrom('artifacts')
      .where('id', '=', id)
      .execute()
      .catch(() => undefined)
    throw error
  }
}

async function* hashed(
  pieces: AsyncIterable<Uint8Array>,
  hash: { update(piece: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

async function list(
  engine: Engine,
  tenant: string,
  { principals, after, limit }: Parameters<UploadStore['list']>[1],
): ReturnType<UploadStore['list']> {
  let rows = rowsOf(engine, tenant)
  if (principals !== undefined) {
    rows = rows.where('uploads.principal', 'in', principals.map(toPrincipalText))
  }
  const uuid = after === undefined ? undefined : parseUploadId(after)
  if (uuid !== undefined) rows = rows.where('uploads.id', '<', uuid)
  const found = await rows
    .orderBy('uploads.id', 'desc')
    .limit(limit + 1)
    .execute()
  return toPage(found.map(toUpload), limit, ({ id }) => id)
}

async function findRow(engine: Engine, tenant: string, id: string): Promise<UploadRow | undefined> {
  const uuid = parseUploadId(id)
  if (uuid === undefined) return undefined
  return rowsOf(engine, tenant).where('uploads.id', '=', uuid).executeTakeFirst()
}

function rowsOf(engine: Engine, tenant: string) {
  return engine.db
    .selectFrom('uploads')
    .innerJoin('artifacts', 'artifacts.id', 'uploads.id')
    .selectAll('uploads')
    .select('artifacts.media_type')
    .where('uploads.tenant', '=', toStoredText(tenant))
}

function toArray(uuids: readonly string[]): string {
  return `{${uuids.join(',')}}`
}

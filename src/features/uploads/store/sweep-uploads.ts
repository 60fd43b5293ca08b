import { sql } from 'kysely'
import { changeIn } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { toUploadId } from './upload-rows.ts'

/** A call may be recorded a moment after it took hold of its files: until then its word counts. */
const unrecordedMs = 3_600_000

interface Looked {
  id: string
  tenant: string
  is_used: boolean
}

/**
 * Looks at uploads whose time has come: those that a call which is still kept has used, or that a
 * schedule names, are looked at again later, the others go with their bytes. Returns how many were looked
 * at, so that none is looked at twice in a row.
 */
export async function sweepUploads(
  engine: Engine,
  { keepMs, limit }: { keepMs: number; limit: number },
): Promise<number> {
  const now = engine.now()
  const looked = await changeIn(engine, async (db) => {
    const { rows } = await sql<Looked>`select p.id::text as id, p.tenant,
        exists (select from upload_uses u where u.upload_id = p.id and (u.used_ms > ${now - unrecordedMs}::bigint
          or exists (select from calls c where c.tenant = u.tenant and c.id = u.call_id)))
        or exists (select from schedules s where s.tenant = p.tenant and s.state <> 'finished'
          and position('crib://uploads/upl_' || replace(p.id::text, '-', '') in s.spec) > 0) as is_used
      from uploads p where p.look_ms < ${now}::bigint order by p.look_ms limit ${limit}
      for update of p skip locked`.execute(db)
    const used = rows.filter(({ is_used }) => is_used)
    const unused = rows.filter(({ is_used }) => !is_used)
    await sql`update uploads set look_ms = ${now + keepMs}::bigint
      where id = any (${toArray(used)}::uuid[])`.execute(db)
    await sql`delete from artifacts where id = any (${toArray(unused)}::uuid[])`.execute(db)
    await recordEvents(
      db,
      unused.map((row) => toExpiry(row, now)),
    )
    return rows.length
  })
  engine.noteWrites(looked)
  return looked
}

function toArray(rows: readonly Looked[]): string {
  return `{${rows.map(({ id }) => id).join(',')}}`
}

function toExpiry({ id, tenant }: Looked, at: number): Parameters<typeof recordEvents>[1][number] {
  const data = { upload: toUploadId(id), because: 'unused' } as const
  const event = { type: 'upload.deleted', at, data } as const
  return { tenant, principal: { kind: 'system', id: 'sweep' }, event }
}

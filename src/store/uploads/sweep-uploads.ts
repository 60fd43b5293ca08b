import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'

/** A call may be recorded a moment after it took hold of its files: until then its word counts. */
const unrecordedMs = 3_600_000

/**
 * Looks at uploads whose time has come: those that a call which is still kept has used are looked at
 * again later, the others go with their bytes. Returns how many were looked at, so that none is looked
 * at twice in a row.
 */
export async function sweepUploads(
  engine: Engine,
  { keepMs, limit }: { keepMs: number; limit: number },
): Promise<number> {
  const now = Date.now()
  const looked = await engine.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: string; is_used: boolean }>`select p.id::text as id,
        exists (select from upload_uses u where u.upload_id = p.id and (u.used_ms > ${now - unrecordedMs}::bigint
          or exists (select from calls c where c.tenant = u.tenant and c.id = u.call_id))) as is_used
      from uploads p where p.look_ms < ${now}::bigint order by p.look_ms limit ${limit}
      for update of p skip locked`.execute(db)
    const used = rows.filter(({ is_used }) => is_used).map(({ id }) => id)
    const unused = rows.filter(({ is_used }) => !is_used).map(({ id }) => id)
    await sql`update uploads set look_ms = ${now + keepMs}::bigint
      where id = any (${`{${used.join(',')}}`}::uuid[])`.execute(db)
    await sql`delete from artifacts where id = any (${`{${unused.join(',')}}`}::uuid[])`.execute(db)
    return rows.length
  })
  engine.noteWrites(looked)
  return looked
}

import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Tables } from '../../../store/tables.ts'

/** Conversations in which nothing has happened since that time, with everything in them. Returns how many. */
export async function removeConversations(
  db: Transaction<Tables>,
  { tenant, beforeMs, limit }: { tenant: string; beforeMs: number; limit: number },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from conversations where tenant = ${tenant}
    and id = any (array(select id from conversations where tenant = ${tenant}
      and updated_ms < ${beforeMs}::bigint and turn_id is null
      order by updated_ms limit ${limit} for update skip locked))
    returning id`.execute(db)
  if (rows.length === 0) return 0
  const ids = `{${rows.map(({ id }) => id).join(',')}}`
  await sql`delete from turn_chunks where tenant = ${tenant} and turn_id in (select id from turns
    where tenant = ${tenant} and conversation_id = any (${ids}::uuid[]))`.execute(db)
  for (const table of ['turns', 'conversation_messages', 'conversation_files'] as const) {
    await sql`delete from ${sql.table(table)} where tenant = ${tenant}
      and conversation_id = any (${ids}::uuid[])`.execute(db)
  }
  return rows.length
}

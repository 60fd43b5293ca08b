import { sql } from 'kysely'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../../tables.ts'

/**
 * The current era of the event log. Events are ordered by transaction number, which belongs to one
 * database cluster: data that was restored into another one may carry numbers that are still to
 * come there, and new events would hide among the old. A new era sorts after everything before it.
 */
export async function enterEra(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ ahead: boolean }>`
    with recursive t(tenant) as (
      (select tenant from events order by tenant limit 1)
      union all
      select (select e.tenant from events e where e.tenant > t.tenant order by e.tenant limit 1)
      from t where t.tenant is not null
    )
    select exists (
      select from t cross join lateral (
        select e.xid from events e where e.tenant = t.tenant
          and e.era = (select value::int from store_state where name = 'era')
        order by e.era desc, e.xid desc limit 1
      ) last where last.xid >= pg_snapshot_xmax(pg_current_snapshot())
    ) as ahead`.execute(db)
  if (rows[0]?.ahead) await db.transaction().execute(startNextEra)
  const state = await db
    .selectFrom('store_state')
    .select('value')
    .where('name', '=', 'era')
    .executeTakeFirstOrThrow()
  return Number(state.value)
}

/** Old events keep their places, cursors stay good, and new events come after. */
export async function startNextEra(transaction: Transaction<Tables>): Promise<void> {
  const state = await transaction
    .selectFrom('store_state')
    .select('value')
    .where('name', '=', 'era')
    .forUpdate()
    .executeTakeFirstOrThrow()
  const era = Number(state.value) + 1
  await sql.raw(`alter table events alter column era set default ${era}`).execute(transaction)
  await transaction
    .updateTable('store_state')
    .set({ value: String(era) })
    .where('name', '=', 'era')
    .execute()
  // A call's own number must not pull its next event beyond the horizon of the new cluster.
  await sql`update calls set xid = '0' where settled_ms is null`.execute(transaction)
}

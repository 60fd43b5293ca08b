import type { Kysely } from 'kysely'
import type { Tables } from '../../../store/tables.ts'

const stateName = 'active-key'

/** Which key a rotation made the one to seal with, and when. Before the first rotation there is none. */
export interface ActiveKey {
  id: string
  sinceMs: number
}

/** The key that the nodes agreed on. */
export async function readActiveKey(db: Kysely<Tables>): Promise<ActiveKey | undefined> {
  const row = await db
    .selectFrom('store_state')
    .select('value')
    .where('name', '=', stateName)
    .executeTakeFirst()
  return row && (JSON.parse(row.value) as ActiveKey)
}

/** False if another process changed it first. */
export async function replaceActiveKey(
  db: Kysely<Tables>,
  seen: ActiveKey | undefined,
  wanted: ActiveKey,
): Promise<boolean> {
  const value = JSON.stringify(wanted)
  if (seen === undefined) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('store_state')
      .values({ name: stateName, value })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('store_state')
    .set({ value })
    .where('name', '=', stateName)
    .where('value', '=', JSON.stringify(seen))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

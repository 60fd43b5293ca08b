import { sql } from 'kysely'
import { copiedTables } from './copy-store.ts'
import type { Engine } from './engine/engine.ts'
import { toStoreError } from './engine/store-error.ts'
import type { MasterKeyRing } from './master-key.ts'
import { openEngine } from './open-store.ts'
import { unlockStore } from './sealing/key-checks.ts'

/** The contents of a store, found by reading all of it. */
export interface StoreContents {
  tables: { table: string; rows: number }[]
  /** When the newest call was requested. */
  lastCallAt?: string
}

/**
 * Opens the database in this data folder, which replays its log, and reads every row of every table:
 * a damaged page fails the look, since pages carry checksums. With keys, what is sealed must open.
 */
export async function inspectStore(
  dataDir: string,
  masterKeys: MasterKeyRing | undefined,
): Promise<StoreContents> {
  const engine = await openEngine({ kind: 'pglite', dataDir }, () => {})
  try {
    if (masterKeys !== undefined) await unlockStore(engine.db, masterKeys)
    const tables: StoreContents['tables'] = []
    for (const { name } of copiedTables) {
      tables.push({ table: name, rows: await countRows(engine, name) })
    }
    const { rows } = await sql<{ at: string | null }>`
      select max(requested_ms)::text as at from calls`.execute(engine.db)
    const at = rows[0]?.at
    return { tables, ...(at && { lastCallAt: new Date(Number(at)).toISOString() }) }
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await engine.close()
  }
}

/** By the rows themselves: an index might be whole where its table is not. */
async function countRows({ db }: Engine, table: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(t.*)::text as count from ${sql.table(table)} t`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

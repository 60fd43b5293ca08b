import { sql } from 'kysely'
import type { TableSpec } from '../core/kernel/views/table-spec.ts'
import { featureTables } from '../features/declarations.ts'
import type { Kysely, Transaction } from 'kysely'
import { ToolError } from '../core/kernel/errors.ts'
import type { Engine } from './engine/engine.ts'
import { toStoreError } from './engine/store-error.ts'
import { startNextEra } from './log/events/event-era.ts'
import { replayJournal } from './log/journal/replay-journal.ts'
import { readRecipes } from './log/writing/write-recipes.ts'
import type { MasterKeyRing } from './master-key.ts'
import { openEngine } from './open-store.ts'
import type { StoreLocation } from './open-store.ts'
import type { Tables } from './tables.ts'
import { unlockStore } from './sealing/key-checks.ts'

/** How far a copy is: rows of one table, and how many there are. */
export interface CopyProgress {
  table: string
  copied: number
  total: number
}

export interface CopyOptions {
  from: StoreLocation
  to: StoreLocation
  /** Proves that what is sealed will open on the other side. */
  masterKeys: MasterKeyRing
  onProgress?: (progress: CopyProgress) => void
  onWarning: (message: string) => void
}

/**
 * Tables that are copied by primary key, parents first. Nodes are not: the process that opens the
 * copy registers itself.
 */
export const copiedTables: readonly TableSpec<keyof Tables>[] = [
  { name: 'rules', key: ['tenant', 'kind', 'name'], page: 1_000 },
  { name: 'groups', key: ['tenant', 'id'], page: 1_000 },
  { name: 'calls', key: ['tenant', 'id'], page: 500 },
  { name: 'events', key: ['stream', 'last_seq'], page: 500 },
  { name: 'artifacts', key: ['id'], page: 1_000 },
  { name: 'artifact_pieces', key: ['artifact_id', 'position'], page: 8 },
  { name: 'audit_segments', key: ['tenant', 'number'], page: 500 },
  { name: 'audit_heads', key: ['tenant'], page: 1_000 },
  // Features name theirs in the order in which rows are deleted: children first.
  ...featureTables.filter(({ isTransient }) => !isTransient).toReversed(),
]

/** Tables that a copy starts without; a test compares both lists with the database. */
export const uncopiedTables: readonly (keyof Tables)[] = [
  'nodes',
  'store_state',
  'tenant_changes',
  ...featureTables.filter(({ isTransient }) => isTransient).map(({ name }) => name),
]

/** Values of the state table that belong to the data. */
const copiedState = sql`name in ('era', 'pepper', 'active-key', 'workspace-user') or name like 'key-check:%'`

/**
 * Moves everything into an empty store in one transaction, so a copy that breaks off leaves the
 * target empty. Cursors stay valid and new events sort after the old ones. Neither side may be used
 * during the move: the embedded folder's lock ensures that, and a target that is not empty is
 * refused.
 */
export async function copyStore(options: CopyOptions): Promise<Record<string, number>> {
  const from = await openEngine(options.from, options.onWarning)
  try {
    await unlockStore(from.db, options.masterKeys)
    await bringInLeft(from, options)
    const to = await openEngine(options.to, options.onWarning)
    try {
      return await to.db.transaction().execute((target) => copyAll(from, target, options))
    } finally {
      await to.close()
    }
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await from.close()
  }
}

/** A server that was killed may have left calls that are in no table yet. */
async function bringInLeft(from: Engine, { onWarning }: CopyOptions): Promise<void> {
  const recipes = await readRecipes(from, 'copy')
  await replayJournal(from, recipes.insert, onWarning)
}

async function copyAll(
  from: Engine,
  target: Transaction<Tables>,
  options: CopyOptions,
): Promise<Record<string, number>> {
  await refuseFull(target)
  const counts: Record<string, number> = {}
  for (const table of copiedTables) {
    counts[table.name] = await copyTable({ from: from.db, target }, table, options)
  }
  await copyState(from.db, target)
  // The target counts its transactions from elsewhere, so what is written there begins a new era.
  await startNextEra(target)
  return counts
}

async function refuseFull(target: Transaction<Tables>): Promise<void> {
  for (const { name } of copiedTables) {
    const row = await target
      .selectFrom(name)
      .select(sql`1`.as('one'))
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) continue
    throw new ToolError('invalid_request', `The target is not empty: it has rows in ${name}.`, {
      fix: 'Give the address of a database that Toolcrib has not used yet.',
    })
  }
}

async function copyTable(
  { from, target }: { from: Kysely<Tables>; target: Transaction<Tables> },
  table: TableSpec<keyof Tables>,
  options: CopyOptions,
): Promise<number> {
  const total = await countRows(from, table)
  let copied = 0
  let last: Record<string, unknown> | undefined
  do {
    const rows: Record<string, unknown>[] = await readPage(from, table, last)
    if (rows.length > 0) {
      await target.insertInto(table.name).values(rows).execute()
    }
    copied += rows.length
    last = rows.at(-1)
    options.onProgress?.({ table: table.name, copied, total })
  } while (last !== undefined)
  return copied
}

async function countRows(from: Kysely<Tables>, table: TableSpec<keyof Tables>): Promise<number> {
  const count = sql<number>`count(*)::int`.as('count')
  const row = await from.selectFrom(table.name).select(count).executeTakeFirstOrThrow()
  return row.count
}

async function readPage(
  from: Kysely<Tables>,
  { name, key, page }: TableSpec<keyof Tables>,
  last: Record<string, unknown> | undefined,
): Promise<Record<string, unknown>[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const after = last
    ? sql`where (${columns}) > (${sql.join(key.map((column) => sql.val(last[column])))})`
    : sql``
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.table(name)} ${after} order by ${columns} limit ${sql.lit(page)}`.execute(
    from,
  )
  return rows
}

async function copyState(from: Kysely<Tables>, target: Transaction<Tables>): Promise<void> {
  await sql`delete from store_state where ${copiedState}`.execute(target)
  const rows = await from
    .selectFrom('store_state')
    .selectAll()
    .where(sql<boolean>`(${copiedState})`)
    .execute()
  await target.insertInto('store_state').values(rows).execute()
}

import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { EventEntry } from '../../../core/events/event.ts'
import type { ScheduleStore } from '../schedule-store.ts'
import type { StoredSchedule } from '../model.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import type { Tables } from '../../../store/tables.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import { parseScheduleId, toScheduleColumns, toStoredSchedule, toUuid } from './schedule-rows.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { toPage } from '../../../store/engine/page.ts'

type ScheduleChanges = Pick<ScheduleStore, 'create' | 'find' | 'list' | 'replace' | 'delete'>

/** Changes that people make to schedules. */
export function createScheduleChanges(engine: Engine): ScheduleChanges {
  return {
    create: (schedule, told, most) =>
      changeIn(engine, (transaction) => create(transaction, { schedule, told, most })),
    find: (tenant, id) => guarded(() => find(engine, tenant, id)),
    list: (tenant, query) => guarded(() => list(engine, tenant, query)),
    replace: (seen, changed, told) =>
      changeIn(engine, (transaction) => replace(transaction, { seen, changed, told })),
    delete: (tenant, id, told) =>
      changeIn(engine, (transaction) => remove(transaction, { tenant, id, told })),
  }
}

async function create(
  transaction: Transaction<Tables>,
  { schedule, told, most }: { schedule: StoredSchedule; told: EventEntry; most: number },
): Promise<boolean> {
  const columns = toScheduleColumns(schedule)
  // Without the lock two concurrent transactions would both count before either has inserted.
  await sql`select pg_advisory_xact_lock(hashtext('toolcrib schedules of ' || ${columns.tenant}))`.execute(
    transaction,
  )
  const { count } = await transaction
    .selectFrom('schedules')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenant', '=', columns.tenant)
    .executeTakeFirstOrThrow()
  if (count >= most) return false
  await transaction.insertInto('schedules').values(columns).execute()
  await recordEvents(transaction, [{ tenant: schedule.tenant, ...told }])
  return true
}

async function find(
  engine: Engine,
  tenant: string,
  id: string,
): Promise<StoredSchedule | undefined> {
  const uuid = parseScheduleId(id)
  if (uuid === undefined) return undefined
  const row = await engine.db
    .selectFrom('schedules')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .where('id', '=', uuid)
    .executeTakeFirst()
  return row && toStoredSchedule(row)
}

async function list(
  engine: Engine,
  tenant: string,
  { agent, tool, after, limit }: Parameters<ScheduleStore['list']>[1],
): Promise<{ items: StoredSchedule[]; next?: string }> {
  const from = after === undefined ? undefined : parseScheduleId(after)
  if (after !== undefined && from === undefined) return { items: [] }
  let query = engine.db
    .selectFrom('schedules')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .orderBy('id')
    .limit(limit + 1)
  if (agent !== undefined) query = query.where('agent', '=', toStoredText(agent))
  if (tool !== undefined) query = query.where('tool', '=', toStoredText(tool))
  if (from !== undefined) query = query.where('id', '>', from)
  const rows = (await query.execute()).map(toStoredSchedule)
  return toPage(rows, limit, ({ id }) => id)
}

async function replace(
  transaction: Transaction<Tables>,
  { seen, changed, told }: { seen: StoredSchedule; changed: StoredSchedule; told: EventEntry },
): Promise<boolean> {
  const { tenant, id, created_by: _by, created_ms: _at, ...columns } = toScheduleColumns(changed)
  const { numUpdatedRows } = await transaction
    .updateTable('schedules')
    .set({ ...columns, version: seen.version + 1 })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('version', '=', seen.version)
    .where('failures', '=', seen.failures)
    .where(sql<boolean>`next_ms is not distinct from ${seen.nextMs ?? null}::bigint`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await recordEvents(transaction, [{ tenant: seen.tenant, ...told }])
  return true
}

async function remove(
  transaction: Transaction<Tables>,
  { tenant, id, told }: { tenant: string; id: string; told: EventEntry },
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('schedules')
    .where('tenant', '=', toStoredText(tenant))
    .where('id', '=', toUuid(id))
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await recordEvents(transaction, [{ tenant, ...told }])
  return true
}

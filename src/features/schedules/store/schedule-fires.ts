import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import type { ScheduleFire, ScheduleStore } from '../schedule-store.ts'
import type { StoredRun } from '../model.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import type { Tables } from '../../../store/tables.ts'
import type { ScheduleRunsTable } from '../tables.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import { toRunColumns, toStoredRun, toStoredSchedule, toUuid } from './schedule-rows.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { isOfActive } from '../../../store/log/active-tenants.ts'

type ScheduleFires = Pick<ScheduleStore, 'listDue' | 'claim' | 'addRun' | 'nextLookMs'>

/** Creates runs. */
export function createScheduleFires(engine: Engine): ScheduleFires {
  return {
    listDue: (nowMs, limit) =>
      guarded(async () => {
        const rows = await engine.db
          .selectFrom('schedules')
          .selectAll()
          .where('next_ms', '<=', nowMs)
          .where(sql<boolean>`${sql.raw(isOfActive)}`)
          .orderBy('next_ms')
          .limit(limit)
          .execute()
        return rows.map(toStoredSchedule)
      }),
    async claim(fires) {
      if (fires.length === 0) return []
      return changeIn(engine, (transaction) => claim(transaction, fires))
    },
    addRun: (run, told) =>
      changeIn(engine, async (transaction) => {
        // Also prevents the schedule from being deleted in between.
        const schedule = await transaction
          .selectFrom('schedules')
          .select('id')
          .where('tenant', '=', toStoredText(run.tenant))
          .where('id', '=', toUuid(run.scheduleId))
          .forKeyShare()
          .executeTakeFirst()
        if (schedule === undefined) return false
        await transaction.insertInto('schedule_runs').values(toRunColumns(run)).execute()
        await recordEvents(transaction, [{ tenant: run.tenant, ...told }])
        return true
      }),
    nextLookMs: () => guarded(() => nextLook(engine)),
  }
}

/**
 * The node that advances `next_ms` gets the run: a later node finds another value there, and a
 * concurrent one skips the locked row. A run is skipped by looking for an unfinished one under that
 * lock.
 */
async function claim(
  transaction: Transaction<Tables>,
  fires: readonly ScheduleFire[],
): Promise<StoredRun[]> {
  const given = fires.map(({ seen, run, nextMs }) => ({
    ...toRunColumns(run),
    seen_ms: seen.nextMs,
    version: seen.version,
    next_ms: nextMs ?? null,
  }))
  const { rows } = await sql<Selectable<ScheduleRunsTable>>`
    with g as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as x(
        tenant text, id uuid, schedule_id uuid, due_ms bigint, fired_ms bigint, missed int,
        tries text, request text, look_ms bigint, seen_ms bigint, version int, next_ms bigint)
    ), held as (
      select s.tenant, s.id, s.overlap from schedules s
      join g on s.tenant = g.tenant and s.id = g.schedule_id
      where s.next_ms = g.seen_ms and s.version = g.version
      order by s.tenant, s.id for update of s skip locked
    ), moved as (
      update schedules s set next_ms = g.next_ms, last_due_ms = g.due_ms,
        state = case when g.next_ms is null then 'finished' else s.state end
      from g join held on held.tenant = g.tenant and held.id = g.schedule_id
      where s.tenant = g.tenant and s.id = g.schedule_id and s.next_ms = g.seen_ms
      returning s.tenant, s.id, held.overlap
    )
    insert into schedule_runs (tenant, id, schedule_id, is_manual, status, due_ms, fired_ms, missed,
      attempt, tries, request, look_ms, finished_ms)
    select g.tenant, g.id, g.schedule_id, false, case when k.skips then 'skipped' else 'running' end,
      g.due_ms, g.fired_ms, g.missed, 1, g.tries, case when k.skips then null else g.request end,
      case when k.skips then null else g.look_ms end, case when k.skips then g.fired_ms end
    from g join moved on moved.tenant = g.tenant and moved.id = g.schedule_id
    cross join lateral (select moved.overlap = 'skip' and exists (
      select from schedule_runs r where r.tenant = g.tenant and r.schedule_id = g.schedule_id
        and r.finished_ms is null) as skips) k
    on conflict do nothing
    returning *`.execute(transaction)
  const runs = rows.map(toStoredRun)
  const tellings = new Map(fires.map(({ run, told }) => [run.id, told]))
  await recordEvents(
    transaction,
    runs.flatMap(({ id, tenant, status }) => {
      const told = tellings.get(id)
      return told === undefined ? [] : [{ tenant, ...markSkipped(told, status) }]
    }),
  )
  return runs
}

function markSkipped(told: ScheduleFire['told'], status: StoredRun['status']): typeof told {
  if (status !== 'skipped') return told
  return { ...told, event: { ...told.event, data: { ...told.event.data, skipped: true } } }
}

async function nextLook(engine: Engine): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`select least(
    (select min(next_ms) from schedules
      where next_ms is not null and ${sql.raw(isOfActive)}),
    (select min(look_ms) from schedule_runs
      where finished_ms is null and ${sql.raw(isOfActive)})) as ms`.execute(engine.db)
  return rows[0]?.ms ?? undefined
}

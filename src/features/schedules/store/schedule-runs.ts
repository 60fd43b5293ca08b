import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import type { RunEnd, ScheduleStore } from '../schedule-store.ts'
import type { StoredRun } from '../model.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { parseCallId } from '../../../store/log/call-id.ts'
import { toJsonText, toStoredText } from '../../../store/log/stored-text.ts'
import type { Tables } from '../../../store/tables.ts'
import type { ScheduleRunsTable } from '../tables.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import { parseScheduleId, toStoredRun, toUuid } from './schedule-rows.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { isOfActive } from '../../../store/log/active-tenants.ts'
import { toPage } from '../../../store/engine/page.ts'

type ScheduleRuns = Pick<
  ScheduleStore,
  'claimRuns' | 'progressRun' | 'finishRun' | 'listRuns' | 'trimRuns'
>

/** The results of runs. */
export function createScheduleRuns(engine: Engine): ScheduleRuns {
  return {
    claimRuns: (nowMs, options) => guarded(() => claimRuns(engine, nowMs, options)),
    async progressRun(run, { attempt, callId, tries, lookMs }) {
      const { numUpdatedRows } = await guarded(() =>
        openRun(engine.db.updateTable('schedule_runs'), run)
          .set({
            attempt,
            call_id: callId === undefined ? null : (parseCallId(callId) ?? null),
            tries: toJsonText(tries),
            look_ms: lookMs,
          })
          .executeTakeFirst(),
      )
      engine.noteWrites(1)
      return numUpdatedRows > 0n
    },
    finishRun: (run, end) => changeIn(engine, (transaction) => finish(transaction, run, end)),
    listRuns: (tenant, scheduleId, query) =>
      guarded(() => listRuns(engine, { tenant, scheduleId, ...query })),
    async trimRuns(tenant, scheduleId, keep) {
      const uuid = toUuid(scheduleId)
      await guarded(() =>
        sql`delete from schedule_runs where tenant = ${tenant} and schedule_id = ${uuid}
          and finished_ms is not null and id < (select id from schedule_runs
            where tenant = ${tenant} and schedule_id = ${uuid}
            order by id desc offset ${keep - 1} limit 1)`.execute(engine.db),
      )
    },
  }
}

async function claimRuns(
  engine: Engine,
  nowMs: number,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<StoredRun[]> {
  const { rows } = await sql<Selectable<ScheduleRunsTable>>`
    with due as (select tenant, id from schedule_runs
      where finished_ms is null and look_ms <= ${nowMs} and ${sql.raw(isOfActive)}
      order by look_ms limit ${limit} for update skip locked)
    update schedule_runs r set look_ms = ${nowMs + leaseMs} from due
    where r.tenant = due.tenant and r.id = due.id returning r.*`.execute(engine.db)
  if (rows.length > 0) engine.noteWrites(rows.length)
  return rows.map(toStoredRun)
}

interface Filtered<Self> {
  where(column: 'tenant' | 'id', operator: '=', value: string): Self
  where(column: 'attempt', operator: '=', value: number): Self
  where(column: 'finished_ms', operator: 'is', value: null): Self
}

/** The run as it was read: unfinished, and in the same try. Fences a node that was thought dead. */
function openRun<Self extends Filtered<Self>>(query: Self, run: StoredRun): Self {
  return query
    .where('tenant', '=', toStoredText(run.tenant))
    .where('id', '=', toUuid(run.id))
    .where('attempt', '=', run.attempt)
    .where('finished_ms', 'is', null)
}

async function finish(
  transaction: Transaction<Tables>,
  run: StoredRun,
  end: RunEnd,
): Promise<{ isFinished: boolean; isDisabled: boolean }> {
  const schedule = { tenant: toStoredText(run.tenant), id: toUuid(run.scheduleId) }
  // The schedule is locked before its runs, here as when it is deleted.
  const held = await transaction
    .selectFrom('schedules')
    .select(['failures', 'state'])
    .where('tenant', '=', schedule.tenant)
    .where('id', '=', schedule.id)
    .forUpdate()
    .executeTakeFirst()
  if (held === undefined) return { isFinished: false, isDisabled: false }
  const { numUpdatedRows } = await openRun(transaction.updateTable('schedule_runs'), run)
    .set({
      status: end.status,
      tries: toJsonText(end.tries),
      finished_ms: end.finishedMs,
      look_ms: null,
      call_id: null,
      request: null,
    })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return { isFinished: false, isDisabled: false }
  if (run.isManual) return { isFinished: true, isDisabled: false }
  const failures = end.status === 'completed' ? 0 : held.failures + 1
  const isDisabled = failures >= end.disabling.after && held.state === 'active'
  const off = { state: 'disabled', next_ms: null, reason: toStoredText(end.disabling.reason) }
  await transaction
    .updateTable('schedules')
    .set({ failures, ...(isDisabled && off) })
    .where('tenant', '=', schedule.tenant)
    .where('id', '=', schedule.id)
    .execute()
  if (isDisabled) await recordEvents(transaction, [{ tenant: run.tenant, ...end.disabling.told }])
  return { isFinished: true, isDisabled }
}

interface RunQuery {
  tenant: string
  scheduleId: string
  after?: string
  limit: number
}

async function listRuns(
  engine: Engine,
  { tenant, scheduleId, after, limit }: RunQuery,
): Promise<{ items: StoredRun[]; next?: string }> {
  const schedule = parseScheduleId(scheduleId)
  const before = after === undefined ? undefined : parseScheduleId(after)
  if (schedule === undefined || (after !== undefined && before === undefined)) return { items: [] }
  let query = engine.db
    .selectFrom('schedule_runs')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .where('schedule_id', '=', schedule)
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = (await query.execute()).map(toStoredRun)
  return toPage(rows, limit, ({ id }) => id)
}

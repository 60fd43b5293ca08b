import type { Selectable } from 'kysely'
import type {
  ScheduleAuthority,
  ScheduledRequest,
  RunTry,
  StoredRun,
  StoredSchedule,
} from '../model.ts'
import type { Overlap, RunStatus, ScheduleState } from '../schemas.ts'
import type { Timing } from '../timing/timing.ts'
import { toJsonText, toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import { parsePrincipal, toPrincipalText } from '../../../store/log/principal-text.ts'
import { toCallId } from '../../../store/log/call-id.ts'
import type { ScheduleRunsTable, SchedulesTable } from '../tables.ts'

const idPattern = /^(?:sch|srun)_([0-9a-f]{32})$/

/** The uuid inside the id of a schedule or a run; undefined for anything else, which then finds nothing. */
export function parseScheduleId(id: string): string | undefined {
  return idPattern.exec(id)?.[1]
}

/** The same for an id that we made ourselves. */
export function toUuid(id: string): string {
  return parseScheduleId(id) ?? ''
}

/** Fields that are never searched. */
type Spec = Pick<
  StoredSchedule,
  'note' | 'input' | 'sealedInput' | 'timing' | 'retries' | 'authority'
>

/** The columns of a schedule. */
export function toScheduleColumns(schedule: StoredSchedule) {
  const { note, input, sealedInput, timing, retries, authority } = schedule
  const spec: Spec = { note, input, sealedInput, timing, retries, authority }
  return {
    tenant: toStoredText(schedule.tenant),
    id: toUuid(schedule.id),
    name: toStoredText(schedule.name),
    tool: toStoredText(schedule.tool),
    agent: toStoredTextOrNull(schedule.agent),
    state: schedule.state,
    reason: toStoredTextOrNull(schedule.reason),
    overlap: schedule.overlap,
    failures: schedule.failures,
    version: schedule.version,
    spec: toJsonText(spec),
    created_by: toPrincipalText(schedule.createdBy),
    next_ms: schedule.nextMs ?? null,
    last_due_ms: schedule.lastDueMs ?? null,
    created_ms: schedule.createdMs,
    updated_ms: schedule.updatedMs,
  }
}

export function toStoredSchedule(row: Selectable<SchedulesTable>): StoredSchedule {
  const spec = JSON.parse(row.spec) as Spec & { timing: Timing; authority: ScheduleAuthority }
  return {
    id: `sch_${row.id.replaceAll('-', '')}`,
    tenant: row.tenant,
    name: row.name,
    tool: row.tool,
    ...spec,
    ...(row.agent !== null && { agent: row.agent }),
    overlap: row.overlap as Overlap,
    state: row.state as ScheduleState,
    ...(row.reason !== null && { reason: row.reason }),
    failures: row.failures,
    version: row.version,
    ...(row.next_ms !== null && { nextMs: row.next_ms }),
    ...(row.last_due_ms !== null && { lastDueMs: row.last_due_ms }),
    createdBy: parsePrincipal(row.created_by),
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }
}

/** The columns of a run. */
export function toRunColumns(run: StoredRun) {
  return {
    tenant: toStoredText(run.tenant),
    id: toUuid(run.id),
    schedule_id: toUuid(run.scheduleId),
    is_manual: run.isManual,
    status: run.status,
    due_ms: run.dueMs,
    fired_ms: run.firedMs,
    missed: run.missed,
    attempt: run.attempt,
    call_id: null,
    tries: toJsonText(run.tries),
    request: run.request === undefined ? null : toJsonText(run.request),
    look_ms: run.lookMs ?? null,
    finished_ms: run.finishedMs ?? null,
  }
}

export function toStoredRun(row: Selectable<ScheduleRunsTable>): StoredRun {
  return {
    id: `srun_${row.id.replaceAll('-', '')}`,
    tenant: row.tenant,
    scheduleId: `sch_${row.schedule_id.replaceAll('-', '')}`,
    isManual: row.is_manual,
    status: row.status as RunStatus,
    dueMs: row.due_ms,
    firedMs: row.fired_ms,
    missed: row.missed,
    attempt: row.attempt,
    ...(row.call_id !== null && { callId: toCallId(row.call_id) }),
    tries: JSON.parse(row.tries) as RunTry[],
    ...(row.request !== null && { request: JSON.parse(row.request) as ScheduledRequest }),
    ...(row.look_ms !== null && { lookMs: row.look_ms }),
    ...(row.finished_ms !== null && { finishedMs: row.finished_ms }),
  }
}

import { eventOf } from '../../../../store/contract/records.ts'
import type { OpenStores } from '../../../open-stores.ts'
import { createScheduleStore } from '../schedule-store.ts'
import type { EventType, EventEntry } from '../../../../core/events/event.ts'
import { createId } from '../../../../core/kernel/ids.ts'
import { toRunRequest } from '../../model.ts'
import type { StoredRun, StoredSchedule } from '../../model.ts'
import type { RunEnd, ScheduleFire } from '../../schedule-store.ts'

/** Long ago, so that nothing of another test is due before it. */
export const noon = Date.parse('2001-01-01T12:00:00Z')
export const minute = 60_000
const owner = { kind: 'user', id: 'owner' } as const
export const clock = { kind: 'system', id: 'schedules' } as const

/** An active schedule of the tenant, due at noon and every minute after. */
export function scheduleOf(tenant: string, more: Partial<StoredSchedule> = {}): StoredSchedule {
  return {
    id: createId('sch'),
    tenant,
    name: 'every minute',
    tool: 'calc.sum',
    input: { a: 1, text: 'nul \u0000 and \ud800 alone' },
    timing: { kind: 'every', everyMs: minute, anchorMs: noon },
    overlap: 'skip',
    retries: 3,
    state: 'active',
    failures: 0,
    version: 1,
    nextMs: noon,
    createdBy: owner,
    authority: { principal: owner, permissions: ['*'], runtime: 'api' },
    createdMs: noon,
    updatedMs: noon,
    ...more,
  }
}

/** The run for the time that a schedule is due at. */
export function runOf(schedule: StoredSchedule, more: Partial<StoredRun> = {}): StoredRun {
  const dueMs = schedule.nextMs ?? noon
  return {
    id: createId('srun'),
    tenant: schedule.tenant,
    scheduleId: schedule.id,
    isManual: false,
    status: 'running',
    dueMs,
    firedMs: dueMs + 5,
    missed: 0,
    attempt: 1,
    tries: [],
    request: toRunRequest(schedule),
    lookMs: dueMs + minute / 2,
    ...more,
  }
}

export function fireOf(seen: StoredSchedule, more: Partial<ScheduleFire> = {}): ScheduleFire {
  const nextMs = (seen.nextMs ?? noon) + minute
  return { seen, run: runOf(seen), nextMs, told: firedEntry, ...more }
}

/** As the type is described: the store adds `skipped` to it. */
const firedEntry: EventEntry<'schedule.fired'> = {
  principal: clock,
  event: {
    type: 'schedule.fired',
    at: noon,
    data: {
      id: 'sch_1',
      name: 'a test',
      tool: 'a.tool',
      runId: 'run_1',
      trigger: 'time',
      dueAt: new Date(noon).toISOString(),
    },
  },
}

export function entryOf<T extends EventType>(type: T): EventEntry<T> {
  return { principal: clock, event: eventOf(type, { of: 'a test' }, noon) }
}

export function endOf(status: RunEnd['status'], more: Partial<RunEnd> = {}): RunEnd {
  const disabling = { after: 5, reason: 'Five in a row', told: entryOf('schedule.disabled') }
  return { status, tries: [{}], finishedMs: noon + minute, disabling, ...more }
}

/** The schedules of a store. */
export function schedulesOf({ engine }: OpenStores) {
  return createScheduleStore(engine)
}

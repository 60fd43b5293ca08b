import type { Caller } from '../../../core/call.ts'
import type { CribApi } from '../../../core/crib-api.ts'
import { ToolError } from '../../../core/errors.ts'
import type { Schedule, ScheduleRun } from '../../../core/schedules/schedule.ts'
import { parseWhen, toWhen } from '../../../core/schedules/timing.ts'
import type { JsonValue } from '../../../core/tool.ts'

type ScheduleMethods = Pick<
  CribApi,
  | 'listSchedules'
  | 'findSchedule'
  | 'createSchedule'
  | 'updateSchedule'
  | 'deleteSchedule'
  | 'runSchedule'
  | 'listScheduleRuns'
  | 'previewSchedule'
>

const moment = '2026-01-01T00:00:00.000Z'

/** The schedules of the memory crib: kept and shown, never run by the clock. */
export function memorySchedules(): ScheduleMethods {
  const schedules = new Map<string, Schedule>()
  const runs: ScheduleRun[] = []
  const find = (caller: Caller, id: string) => {
    const found = schedules.get(id)
    if (found?.tenant === caller.tenant) return found
    throw new ToolError('not_found', `There is no schedule ${id}`)
  }
  return {
    listSchedules: async ({ tenant }, { limit }) => {
      const own = [...schedules.values()].filter((schedule) => schedule.tenant === tenant)
      const items = own.slice(0, limit)
      return own.length > limit ? { items, next: items.at(-1)?.id } : { items }
    },
    findSchedule: async (caller, id) => find(caller, id),
    createSchedule: async ({ tenant, principal }, { when, input = {}, ...request }) => {
      const schedule: Schedule = {
        id: `sch_${schedules.size + 1}`,
        tenant,
        overlap: 'skip',
        retries: 3,
        ...request,
        input: input as JsonValue,
        when: toWhen(parseWhen(when, Date.parse(moment))),
        state: 'active',
        failures: 0,
        createdBy: principal,
        runsFor: principal,
        createdAt: moment,
        updatedAt: moment,
      }
      schedules.set(schedule.id, schedule)
      return schedule
    },
    updateSchedule: async (caller, id, { paused, name }) => {
      const schedule = find(caller, id)
      if (name !== undefined) schedule.name = name
      if (paused !== undefined) schedule.state = paused ? 'paused' : 'active'
      return schedule
    },
    previewSchedule: async (_caller, { when }) => ({
      when: toWhen(parseWhen(when, Date.parse(moment))),
      times: [moment],
    }),
    deleteSchedule: async (caller, id) => void schedules.delete(find(caller, id).id),
    runSchedule: async (caller, id) => {
      const run: ScheduleRun = {
        runId: `srun_${runs.length + 1}`,
        scheduleId: find(caller, id).id,
        trigger: 'now',
        status: 'running',
        dueAt: moment,
        firedAt: moment,
        tries: 1,
        callId: 'call_1',
      }
      runs.unshift(run)
      return run
    },
    listScheduleRuns: async (caller, id, { limit }) => {
      const { id: scheduleId } = find(caller, id)
      return { items: runs.filter((run) => run.scheduleId === scheduleId).slice(0, limit) }
    },
  }
}

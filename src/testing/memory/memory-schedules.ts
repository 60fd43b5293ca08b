import type { ToldEvent } from '../../core/events/event.ts'
import type { RunEnd, ScheduleFire, ScheduleStore } from '../../core/schedules/schedule-store.ts'
import type { StoredRun, StoredSchedule } from '../../core/schedules/schedule.ts'
import { type MemoryEventLog, withoutUndefined } from './memory-log.ts'

interface Memory {
  schedules: Map<string, StoredSchedule>
  runs: Map<string, StoredRun>
  tell(tenant: string, told: ToldEvent): void
}

/** Schedules in maps, with the guards of the real ones. */
export function createMemorySchedules(events: MemoryEventLog): ScheduleStore {
  const memory: Memory = {
    schedules: new Map(),
    runs: new Map(),
    tell: (tenant, { principal, event }) => events.append({ tenant, principal }, [event]),
  }
  return { ...changesIn(memory), ...firesIn(memory), ...runsIn(memory) }
}

function changesIn({ schedules, runs, tell }: Memory) {
  const find = (tenant: string, id: string) => {
    const found = schedules.get(id)
    return found?.tenant === tenant ? found : undefined
  }
  return {
    async create(schedule, told, most) {
      const own = [...schedules.values()].filter(({ tenant }) => tenant === schedule.tenant)
      if (own.length >= most) return false
      keep(schedules, schedule)
      tell(schedule.tenant, told)
      return true
    },
    find: async (tenant, id) => structuredClone(find(tenant, id)),
    async list(tenant, { agent, after = '', limit }) {
      if (after !== '' && !after.startsWith('sch_')) return { items: [] }
      const fitting = [...schedules.values()]
        .filter((one) => one.tenant === tenant && one.id > after)
        .filter((one) => agent === undefined || one.agent === agent)
      return pageOf(fitting, limit)
    },
    async replace(seen, changed, told) {
      const found = find(seen.tenant, seen.id)
      if (found === undefined || !isUnchanged(found, seen) || found.failures !== seen.failures)
        return false
      keep(schedules, { ...changed, version: seen.version + 1 })
      tell(seen.tenant, told)
      return true
    },
    async delete(tenant, id, told) {
      if (find(tenant, id) === undefined) return false
      schedules.delete(id)
      for (const run of runs.values()) if (run.scheduleId === id) runs.delete(run.id)
      tell(tenant, told)
      return true
    },
  } satisfies Partial<ScheduleStore>
}

function firesIn(memory: Memory) {
  const { schedules, runs, tell } = memory
  return {
    async listDue(nowMs, limit) {
      const due = [...schedules.values()].filter(({ nextMs = Infinity }) => nextMs <= nowMs)
      due.sort((one, other) => (one.nextMs ?? 0) - (other.nextMs ?? 0))
      return structuredClone(due.slice(0, limit))
    },
    claim: async (fires) => structuredClone(fires.flatMap((fire) => claimOne(memory, fire))),
    async addRun(run, told) {
      if (schedules.get(run.scheduleId)?.tenant !== run.tenant) return false
      keep(runs, run)
      tell(run.tenant, told)
      return true
    },
    async nextLookMs() {
      const times = [
        ...[...schedules.values()].map(({ nextMs }) => nextMs),
        ...[...runs.values()].map(({ lookMs }) => lookMs),
      ].filter((ms) => ms !== undefined)
      return times.length === 0 ? undefined : Math.min(...times)
    },
  } satisfies Partial<ScheduleStore>
}

function claimOne({ schedules, runs, tell }: Memory, fire: ScheduleFire): StoredRun[] {
  const { seen, run, nextMs, told } = fire
  const found = schedules.get(seen.id)
  if (found === undefined || found.nextMs === undefined || !isUnchanged(found, seen)) return []
  const state = nextMs === undefined ? 'finished' : found.state
  keep(schedules, { ...found, nextMs, lastDueMs: run.dueMs, state })
  const ofSchedule = [...runs.values()].filter(({ scheduleId }) => scheduleId === seen.id)
  if (ofSchedule.some(({ dueMs, isManual }) => !isManual && dueMs === run.dueMs)) return []
  const isSkipped =
    found.overlap === 'skip' && ofSchedule.some(({ finishedMs }) => finishedMs === undefined)
  const skipped = { status: 'skipped' as const, finishedMs: run.firedMs }
  const made = isSkipped ? { ...run, ...skipped, lookMs: undefined, request: undefined } : run
  const data = isSkipped ? { ...(told.event.data as object), skipped: true } : told.event.data
  tell(run.tenant, { ...told, event: { ...told.event, data } })
  return [keep(runs, made)]
}

function runsIn(memory: Memory) {
  const { runs } = memory
  const newestFirst = (tenant: string, scheduleId: string) =>
    [...runs.values()]
      .filter((run) => run.tenant === tenant && run.scheduleId === scheduleId)
      .sort((one, other) => (one.id < other.id ? 1 : -1))
  return {
    async claimRuns(nowMs, { limit, leaseMs }) {
      const due = [...runs.values()].filter(({ lookMs = Infinity }) => lookMs <= nowMs)
      for (const run of due.slice(0, limit)) run.lookMs = nowMs + leaseMs
      return structuredClone(due.slice(0, limit))
    },
    async progressRun(run, { attempt, callId, tries, lookMs }) {
      const found = findOpen(memory, run)
      if (found !== undefined) keep(runs, { ...found, attempt, callId, tries, lookMs })
      return found !== undefined
    },
    finishRun: async (run, end) => finish(memory, run, end),
    async listRuns(tenant, scheduleId, { after, limit }) {
      const fitting = newestFirst(tenant, scheduleId)
      return pageOf(after === undefined ? fitting : fitting.filter(({ id }) => id < after), limit)
    },
    async trimRuns(tenant, scheduleId, count) {
      for (const { id, finishedMs } of newestFirst(tenant, scheduleId).slice(count))
        if (finishedMs !== undefined) runs.delete(id)
    },
  } satisfies Partial<ScheduleStore>
}

function finish(memory: Memory, run: StoredRun, end: RunEnd) {
  const found = findOpen(memory, run)
  const schedule = memory.schedules.get(run.scheduleId)
  if (found === undefined || schedule === undefined) return { isFinished: false, isDisabled: false }
  const { status, tries, finishedMs, disabling } = end
  const gone = { lookMs: undefined, callId: undefined, request: undefined }
  keep(memory.runs, { ...found, status, tries, finishedMs, ...gone })
  if (run.isManual) return { isFinished: true, isDisabled: false }
  const failures = status === 'completed' ? 0 : schedule.failures + 1
  const isDisabled = failures >= disabling.after && schedule.state === 'active'
  const off = { state: 'disabled' as const, nextMs: undefined, reason: disabling.reason }
  keep(memory.schedules, { ...schedule, failures, ...(isDisabled && off) })
  if (isDisabled) memory.tell(run.tenant, disabling.told)
  return { isFinished: true, isDisabled }
}

function findOpen({ runs }: Memory, run: StoredRun): StoredRun | undefined {
  const found = runs.get(run.id)
  const isOpen = found?.finishedMs === undefined && found?.attempt === run.attempt
  return isOpen && found.tenant === run.tenant ? found : undefined
}

function isUnchanged(found: StoredSchedule, seen: StoredSchedule): boolean {
  return found.version === seen.version && found.nextMs === seen.nextMs
}

function keep<T extends { id: string }>(map: Map<string, T>, value: T): T {
  const kept = structuredClone(withoutUndefined(value))
  map.set(value.id, kept)
  return kept
}

function pageOf<T extends { id: string }>(all: readonly T[], limit: number) {
  const items = structuredClone(all.slice(0, limit))
  return all.length > limit ? { items, next: items.at(-1)?.id } : { items }
}

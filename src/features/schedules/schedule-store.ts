import type { EventEntry } from '../../core/events/event.ts'
import type { RunTry, StoredRun, StoredSchedule } from './model.ts'

/** A due schedule, as it was read, with its next run. */
export interface ScheduleFire {
  seen: StoredSchedule
  /** Its `status` is `running`; it becomes `skipped` if the previous run has not finished and runs may not overlap. */
  run: StoredRun
  nextMs: number | undefined
  told: EventEntry<'schedule.fired'>
}

/**
 * The progress of an open run. `attempt`, `callId` and `tries` have their values after the change.
 */
export interface RunProgress {
  attempt: number
  callId?: string
  tries: readonly RunTry[]
  lookMs: number
}

/** How a run ends. */
export interface RunEnd {
  status: 'completed' | 'failed'
  tries: readonly RunTry[]
  finishedMs: number
  /** The last of many consecutive failures disables the schedule, with this event. */
  disabling: { after: number; reason: string; told: EventEntry }
}

/** Schedules and their runs. All lookups use both the tenant and the id. */
export interface ScheduleStore {
  /** False when the tenant has `most` schedules already. */
  create(schedule: StoredSchedule, told: EventEntry, most: number): Promise<boolean>
  find(tenant: string, id: string): Promise<StoredSchedule | undefined>
  /** Oldest first. */
  list(
    tenant: string,
    query: { agent?: string; tool?: string; after?: string; limit: number },
  ): Promise<{ items: StoredSchedule[]; next?: string }>
  /** Puts `changed` in the place of `seen`. False when it has changed, fired or gone since it was read. */
  replace(seen: StoredSchedule, changed: StoredSchedule, told: EventEntry): Promise<boolean>
  /** With its runs. */
  delete(tenant: string, id: string, told: EventEntry): Promise<boolean>
  /** Active schedules of all tenants whose time has come, the longest overdue first. Claims nothing. */
  listDue(nowMs: number, limit: number): Promise<StoredSchedule[]>
  /**
   * Moves schedules on to their next time and writes their runs. Of several nodes that try, one
   * gets the run; a schedule that has changed since it was read fires for nobody.
   */
  claim(fires: readonly ScheduleFire[]): Promise<StoredRun[]>
  /** Adds a manual run. False when the schedule was deleted. */
  addRun(run: StoredRun, told: EventEntry<'schedule.fired'>): Promise<boolean>
  /** Open runs that must be looked at, each for one node until the lease is over. */
  claimRuns(nowMs: number, options: { limit: number; leaseMs: number }): Promise<StoredRun[]>
  /** False when the run is finished, gone, or in another try than it was read in. */
  progressRun(run: StoredRun, progress: RunProgress): Promise<boolean>
  /** Ends a run once, and counts it for its schedule unless it was manual. */
  finishRun(run: StoredRun, end: RunEnd): Promise<{ isFinished: boolean; isDisabled: boolean }>
  /** Newest first. */
  listRuns(
    tenant: string,
    scheduleId: string,
    query: { after?: string; limit: number },
  ): Promise<{ items: StoredRun[]; next?: string }>
  /** When there is something to do next, for any tenant. */
  nextLookMs(): Promise<number | undefined>
  /** Forgets finished runs beyond the newest `keep`. */
  trimRuns(tenant: string, scheduleId: string, keep: number): Promise<void>
}

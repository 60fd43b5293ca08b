import type { ScheduleStore } from '../schedule-store.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { createScheduleChanges } from './schedule-changes.ts'
import { createScheduleFires } from './schedule-fires.ts'
import { createScheduleRuns } from './schedule-runs.ts'

/** Schedules and the history of their runs. */
export function createScheduleStore(engine: Engine): ScheduleStore {
  return {
    ...createScheduleChanges(engine),
    ...createScheduleFires(engine),
    ...createScheduleRuns(engine),
  }
}

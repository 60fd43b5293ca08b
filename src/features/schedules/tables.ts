import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

// Columns that hold JSON are `text`, as everywhere in the schema.

export interface SchedulesTable {
  tenant: string
  id: string
  name: string
  tool: string
  agent: string | null
  state: string
  /** Why it is disabled. */
  reason: string | null
  overlap: string
  /** Consecutive failed runs. */
  failures: number
  /** Counts changes by people; firing does not change it. */
  version: number
  /** Fields that are never searched: note, input, timing, retries, authority. */
  spec: string
  /** `kind:id` */
  created_by: string
  /** Set while it is active, and only then. */
  next_ms: number | null
  last_due_ms: number | null
  created_ms: number
  updated_ms: number
}

export interface ScheduleRunsTable {
  tenant: string
  id: string
  schedule_id: string
  is_manual: boolean
  status: string
  due_ms: number
  fired_ms: number
  missed: number
  /** The number of the try that is under way. */
  attempt: number
  /** The call of this try, once it is made. */
  call_id: string | null
  /** The tries that have ended. */
  tries: string
  /** The call it makes; removed when it is finished. */
  request: string | null
  /** When the run must be checked again; null when it is finished. */
  look_ms: number | null
  finished_ms: number | null
}

export interface ScheduleTables {
  schedules: SchedulesTable
  schedule_runs: ScheduleRunsTable
}

/** In the order in which the rows of a deleted tenant are removed. */
export const scheduleTables: readonly TableSpec<keyof ScheduleTables>[] = [
  { name: 'schedule_runs', key: ['tenant', 'id'], page: 1_000 },
  { name: 'schedules', key: ['tenant', 'id'], page: 500 },
]

import { sql } from 'kysely'
import type { SealedColumn } from '../../../store/sealing/sealed-rows.ts'

const toScheduleId = (uuid: string) => `sch_${uuid.replaceAll('-', '')}`

/** Sealed inputs of schedules and of runs that are not finished. */
export const sealedSchedules: readonly SealedColumn[] = [
  { table: 'schedules', column: 'spec', boundTo: 'id', toId: toScheduleId, isOpen: sql`true` },
  {
    table: 'schedule_runs',
    column: 'request',
    boundTo: 'schedule_id',
    toId: toScheduleId,
    isOpen: sql`finished_ms is null`,
  },
]

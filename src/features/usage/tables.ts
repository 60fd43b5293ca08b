import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

/** One day of one subject: the tenant, a tool, an agent or a principal. */
export interface UsageDaysTable {
  tenant: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  kind: string
  /** Empty where the kind is `tenant`. */
  subject: string
  calls: number
  completed: number
  failed: number
  denied: number
  cancelled: number
  run_ms: number
  output_bytes: number
  cost: number
}

/** Usage. */
export interface UsageTables {
  usage_days: UsageDaysTable
}

export const usageTables: readonly TableSpec<keyof UsageTables>[] = [
  { name: 'usage_days', key: ['tenant', 'kind', 'day', 'subject'], page: 1_000 },
]

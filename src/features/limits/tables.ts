import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

/** Calls of one subject of a limit, in slices of time. */
export interface LimitCountsTable {
  tenant: string
  limit_key: string
  subject: string
  /** The number of the newest slice. */
  slot: number
  /** Newest first. */
  used: number[]
}

/** How many calls a node may run at once for one subject of a limit. */
export interface LimitPlacesTable {
  tenant: string
  limit_key: string
  subject: string
  node: string
  held: number
}

/** The period of the last warning that a limit was reached. */
export interface LimitNoticesTable {
  tenant: string
  limit_key: string
  measure: string
  subject: string
  period_start: string
}

export interface LimitTables {
  limit_counts: LimitCountsTable
  limit_places: LimitPlacesTable
  limit_notices: LimitNoticesTable
}

export const limitTables: readonly TableSpec<keyof LimitTables>[] = [
  {
    name: 'limit_counts',
    key: ['tenant', 'limit_key', 'subject'],
    page: 1_000,
    isTransient: true,
  },
  {
    name: 'limit_places',
    key: ['tenant', 'limit_key', 'subject', 'node'],
    page: 1_000,
    isTransient: true,
  },
  { name: 'limit_notices', key: ['tenant', 'limit_key', 'measure', 'subject'], page: 1_000 },
]

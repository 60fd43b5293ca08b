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

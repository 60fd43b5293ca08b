/** What the store has to know of a table to keep, copy and remove its rows. */
export interface TableSpec<Name extends string = string> {
  name: Name
  /** Its primary key: copies are read in this order. */
  key: readonly string[]
  /** How many rows a copy reads at once: few where they are large. */
  page: number
}

/** Steps of the schema by name, each a list of statements. A published step is never changed. */
export type Migrations = Readonly<Record<string, readonly string[]>>

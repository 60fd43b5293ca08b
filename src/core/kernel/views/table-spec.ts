/** The facts about a table that the store needs to keep, copy and remove its rows. */
export interface TableSpec<Name extends string = string> {
  name: Name
  /** Its primary key; copies are read in this order. */
  key: readonly string[]
  /** How many rows a copy reads at once; fewer when they are large. */
  page: number
  /** Not copied: its rows start again with every start. */
  isTransient?: true
  /** Its rows belong to no tenant. */
  isShared?: true
}

/** Migration steps by name, each a list of statements. A published step never changes. */
export type Migrations = Readonly<Record<string, readonly string[]>>

import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface CatalogueTable {
  name: string
  title: string
  first_seen_ms: number
  gone_ms: number | null
}

/** Tools that were seen, for rules that wait for them. */
export interface CatalogueTables {
  catalogue: CatalogueTable
}

export const catalogueTables: readonly TableSpec<keyof CatalogueTables>[] = [
  { name: 'catalogue', key: ['name'], page: 1_000, isShared: true },
]

import type { Migrations, TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface VersionsTable {
  tenant: string
  /** The noun: `tool`. */
  kind: string
  name: string
  /** Of its body; 12 hex digits. */
  hash: string
  /** 1, 2, 3 … of this name. */
  number: number
  /** The document as JSON. */
  body: string
  note: string | null
  created_ms: number
  /** `kind:id` */
  created_by: string
}

export interface VersionTables {
  versions: VersionsTable
}

export const versionTables: readonly TableSpec<keyof VersionTables>[] = [
  { name: 'versions', key: ['tenant', 'kind', 'name', 'hash'], page: 100 },
]

export const versionMigrations: Migrations = {
  '0040_versions': [
    `create table versions (
      tenant text not null,
      kind text not null,
      name text not null,
      hash text not null,
      number bigint not null,
      body text not null,
      note text,
      created_ms bigint not null,
      created_by text not null,
      primary key (tenant, kind, name, hash)
    )`,
    `create unique index versions_number on versions (tenant, kind, name, number)`,
  ],
}

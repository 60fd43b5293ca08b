import type { Migrations, TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface ApiDefinitionsTable {
  tenant: string
  api: string
  /** SHA-256 of the definition, in hex. */
  hash: string
  /** The definition as JSON. */
  body: string
  /** When a document last had it. */
  seen_ms: number
}

export interface ApiTables {
  api_definitions: ApiDefinitionsTable
}

export const apiTables: readonly TableSpec<keyof ApiTables>[] = [
  { name: 'api_definitions', key: ['tenant', 'api', 'hash'], page: 200 },
]

export const apiMigrations: Migrations = {
  '0039_apis': [
    `create table api_definitions (
      tenant text not null,
      api text not null,
      hash text not null,
      body text not null,
      seen_ms bigint not null,
      primary key (tenant, api, hash)
    )`,
    `create index api_definitions_seen on api_definitions (seen_ms)`,
  ],
}

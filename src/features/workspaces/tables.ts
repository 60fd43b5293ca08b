import type { Migrations, TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface WorkspacesTable {
  tenant: string
  /** It alone names the folder. */
  id: string
  /** Its owner: a session with its principal, or a principal with its agent. */
  owner_key: string
  session_id: string | null
  agent: string | null
  /** `kind:id` */
  principal: string
  /** The user of its files, if the server ran as root. */
  uid: number | null
  mode: string
  /** The id of the folder that holds it. */
  place: string
  bytes: number
  files: number
  created_ms: number
  used_ms: number
  /** Set when it is being removed; its folder may still be there. */
  removed_ms: number | null
}

export interface WorkspaceTables {
  workspaces: WorkspacesTable
}

export const workspaceTables: readonly TableSpec<keyof WorkspaceTables>[] = [
  { name: 'workspaces', key: ['tenant', 'id'], page: 1_000 },
]

export const workspaceMigrations: Migrations = {
  '0037_workspaces': [
    `create table workspaces (
      tenant text not null,
      id text not null,
      owner_key text not null,
      session_id text,
      agent text,
      principal text not null,
      uid bigint,
      mode text not null,
      place text not null,
      bytes bigint not null,
      files bigint not null,
      created_ms bigint not null,
      used_ms bigint not null,
      removed_ms bigint,
      primary key (tenant, id)
    )`,
    `create unique index workspaces_owner on workspaces (tenant, owner_key) where removed_ms is null`,
    `create index workspaces_used on workspaces (used_ms)`,
  ],
  // Nodes on which something runs in a workspace must know at once what it no longer allows.
  '0038_workspace_changes': [
    `create trigger note_change after update of mode, removed_ms on workspaces for each row
      execute function note_tenant_change('tenant')`,
  ],
}

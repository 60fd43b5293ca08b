/** Decisions of operators: rules of tenants, members and how they sign in. */
export const governance: Readonly<Record<string, readonly string[]>> = {
  '0009_rules': [
    `alter table tenants
      add column status text not null default 'active' check (status in ('active', 'suspended')),
      add column reason text,
      add column is_declared boolean not null default true,
      add column created_ms bigint not null default 0`,
    `create table rules (
      tenant text collate "C" not null,
      kind text collate "C" not null,
      name text collate "C" not null,
      body text not null,
      is_declared boolean not null,
      version int not null,
      updated_ms bigint not null,
      updated_by text not null,
      primary key (tenant, kind, name)
    )`,
    `drop table agents`,
    // One row for each tenant, with the transaction that last changed anything a decision rests on.
    // Every node looks here for what it must read again; a table that has the trigger is never forgotten.
    `create table tenant_changes (tenant text collate "C" primary key, xid xid8 not null)`,
    `create index tenant_changes_by_xid on tenant_changes (xid)`,
    `create function note_tenant_change() returns trigger language plpgsql
      set search_path from current as $$
      begin
        insert into tenant_changes values (
          (case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end) ->> tg_argv[0],
          pg_current_xact_id()
        ) on conflict (tenant) do update set xid = excluded.xid;
        return null;
      end $$`,
    `create trigger note_change after insert or update or delete on rules for each row
      execute function note_tenant_change('tenant')`,
    `create trigger note_change after insert or update or delete on tenants for each row
      execute function note_tenant_change('slug')`,
    `create trigger note_change after insert or delete on secrets for each row
      execute function note_tenant_change('tenant')`,
  ],
  '0010_people': [
    `create table members (
      tenant text collate "C" not null,
      id text collate "C" not null,
      email text collate "C",
      name text not null,
      role text not null,
      permissions text not null default '[]',
      status text not null check (status in ('active', 'suspended')),
      password_hash text,
      created_ms bigint not null,
      updated_ms bigint not null,
      primary key (tenant, id)
    )`,
    // Addresses are stored in small letters.
    `create unique index members_by_email on members (tenant, email) where email is not null`,
    `create trigger note_change after insert or update or delete on members for each row
      execute function note_tenant_change('tenant')`,
    `create table sessions (
      hash bytea primary key,
      id text collate "C" not null unique,
      tenant text collate "C" not null,
      member text collate "C" not null,
      method text not null,
      user_agent text,
      address text,
      created_ms bigint not null,
      last_seen_ms bigint not null,
      expires_ms bigint not null,
      foreign key (tenant, member) references members on delete cascade
    )`,
    `create index sessions_by_member on sessions (tenant, member, created_ms)`,
    `create index sessions_by_expiry on sessions (expires_ms)`,
    // Links that work once: the owner's, invitations, and the way back from a sign-in elsewhere.
    `create table one_time_tokens (
      hash bytea primary key,
      id text collate "C" not null unique,
      kind text not null check (kind in ('sign-in', 'invitation', 'oidc')),
      tenant text collate "C" not null,
      facts text not null,
      created_ms bigint not null,
      expires_ms bigint not null,
      used_ms bigint
    )`,
    `create index one_time_tokens_by_tenant on one_time_tokens (tenant, kind, id)`,
    `create index one_time_tokens_by_expiry on one_time_tokens (expires_ms)`,
  ],
}

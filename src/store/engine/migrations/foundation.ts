/** Calls, events, artifacts, tenants, secrets and keys. */
export const foundation: Readonly<Record<string, readonly string[]>> = {
  '0001_calls_and_events': [
    `create table calls (
      tenant text collate "C" not null,
      id uuid not null,
      tool text not null,
      status text not null check (status in
        ('queued', 'running', 'waiting', 'completed', 'failed', 'denied', 'cancelled')),
      agent text,
      principal text not null,
      session_id text collate "C",
      parent_id uuid,
      attempt int not null,
      last_seq int not null,
      node text not null,
      cancel_requested boolean not null default false,
      input text not null,
      facts text not null,
      outcome text,
      requested_ms bigint not null,
      started_ms bigint,
      settled_ms bigint,
      idempotency_key text,
      input_hash bytea,
      xid xid8 not null default pg_current_xact_id(),
      primary key (tenant, id),
      check ((settled_ms is not null) = (status in ('completed', 'failed', 'denied', 'cancelled')))
    )`,
    `create unique index calls_by_key on calls (tenant, tool, idempotency_key)
      where idempotency_key is not null`,
    `create index calls_unsettled on calls (tenant, id) where settled_ms is null`,
    `create index calls_by_session on calls (tenant, session_id, id) where session_id is not null`,
    `create index calls_by_parent on calls (tenant, parent_id, id) where parent_id is not null`,
    `create index calls_to_cancel on calls (id) where cancel_requested and settled_ms is null`,
    `create table events (
      tenant text collate "C" not null,
      era int not null default 0,
      xid xid8 not null default pg_current_xact_id(),
      stream uuid not null,
      first_seq int not null,
      last_seq int not null,
      is_call boolean not null,
      session_id text collate "C",
      agent text,
      principal text not null,
      types text not null,
      items text not null,
      primary key (stream, last_seq)
    )`,
    `create index events_by_tenant on events (tenant, era, xid, stream, last_seq)`,
    `create index events_by_session on events (tenant, session_id, era, xid, stream, last_seq)
      where session_id is not null`,
    `create type new_call as (
      tenant text, id uuid, tool text, status text, agent text, principal text, session_id text,
      parent_id uuid, attempt int, last_seq int, input text, facts text, outcome text,
      requested_ms bigint, started_ms bigint, settled_ms bigint, idempotency_key text,
      input_hash bytea, types text, items text
    )`,
    `create type call_change as (
      tenant text, id uuid, kind text, status text, outcome text, attempt int, at_ms bigint,
      added int, types text, items text
    )`,
    `create type new_chunk as (
      tenant text, stream uuid, first_seq int, last_seq int, session_id text, agent text,
      principal text, types text, items text
    )`,
    `create table nodes (
      id text primary key,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now()
    )`,
    `create table store_state (name text primary key, value text not null)`,
    `insert into store_state values ('era', '0')`,
  ],
  '0002_artifacts': [
    `create table artifacts (
      id uuid primary key,
      tenant text collate "C" not null,
      call_id uuid not null,
      media_type text not null,
      created_ms bigint not null,
      bytes bigint
    )`,
    `create index artifacts_by_call on artifacts (tenant, call_id, id)`,
    `create index artifacts_unfinished on artifacts (created_ms) where bytes is null`,
    `create table artifact_pieces (
      artifact_id uuid not null references artifacts on delete cascade,
      position int not null,
      content bytea not null,
      primary key (artifact_id, position)
    )`,
    // Compressing a quarter of a megabyte blocks the thread of the embedded engine for nothing.
    `alter table artifact_pieces alter column content set storage external`,
  ],
  '0003_tenants_secrets_keys': [
    `create table tenants (slug text collate "C" primary key, name text not null)`,
    `create table agents (
      tenant text collate "C" not null,
      slug text collate "C" not null,
      definition text not null,
      is_declared boolean not null,
      primary key (tenant, slug)
    )`,
    `create table secrets (
      id uuid primary key,
      tenant text collate "C" not null,
      agent text collate "C" not null,
      name text collate "C" not null,
      version int not null,
      key_id text not null,
      wrapped_key bytea not null,
      sealed bytea not null,
      updated_ms bigint not null,
      unique (tenant, agent, name)
    )`,
    `create index secrets_by_key on secrets (key_id, id)`,
    `create table api_keys (
      id text collate "C" primary key,
      tenant text collate "C" not null,
      name text not null,
      scopes text not null,
      agent text,
      hash bytea not null,
      created_ms bigint not null,
      expires_ms bigint,
      last_used_ms bigint,
      revoked_ms bigint
    )`,
    `create index api_keys_by_tenant on api_keys (tenant, id)`,
  ],
  '0004_call_ownership': [
    // Null: its node gave the call up, and any node may take it.
    `alter table calls alter column node drop not null`,
    `alter table calls add column is_claimed boolean not null default false`,
  ],
}

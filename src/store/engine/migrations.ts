/**
 * Every step the schema ever took, in order. Append only: a published step is never changed.
 * PGlite takes one statement at a time, so a step is a list of statements.
 */
export const migrations: Readonly<Record<string, readonly string[]>> = {
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
    // Null: its node gave the call up, whoever comes first takes it.
    `alter table calls alter column node drop not null`,
    `alter table calls add column is_claimed boolean not null default false`,
  ],
  '0005_durable_work': [
    `alter table calls
      add column queue text,
      add column waiting_for text,
      add column token_hash text,
      add column deadline_ms bigint,
      add column group_id uuid,
      add column has_waited boolean not null default false,
      add column is_approved boolean not null default false,
      add column takeovers int not null default 0,
      add column failures int not null default 0`,
    `create index calls_by_deadline on calls (deadline_ms)
      where settled_ms is null and deadline_ms is not null`,
    `create index calls_waiting_for_calls on calls (tenant, id)
      where status = 'waiting' and waiting_for = 'call'`,
    `create index calls_by_group on calls (tenant, group_id, id) where group_id is not null`,
    `create index calls_by_token on calls (id) where token_hash is not null`,
    `create index calls_with_work on calls (id) where queue is not null and settled_ms is null`,
    `alter type new_call
      add attribute queue text, add attribute waiting_for text,
      add attribute deadline_ms bigint, add attribute group_id uuid`,
    `alter type call_change
      add attribute from_status text, add attribute waiting_for text,
      add attribute token_hash text, add attribute deadline_ms bigint, add attribute queue text,
      add attribute input text`,
    `create table groups (
      tenant text collate "C" not null,
      id uuid not null,
      continuation text not null,
      is_sealed boolean not null default false,
      members int not null default 0,
      pending int not null default 0,
      failed int not null default 0,
      created_ms bigint not null,
      deadline_ms bigint,
      settled_ms bigint,
      continued_ms bigint,
      attempt int not null default 0,
      lease_ms bigint,
      primary key (tenant, id)
    )`,
    `create index groups_to_continue on groups (settled_ms)
      where settled_ms is not null and continued_ms is null`,
    `create index groups_by_deadline on groups (deadline_ms)
      where settled_ms is null and deadline_ms is not null`,
  ],
  '0006_schedules': [
    `create table schedules (
      tenant text collate "C" not null,
      id uuid not null,
      name text not null,
      tool text not null,
      agent text collate "C",
      state text not null check (state in ('active', 'paused', 'disabled', 'finished')),
      reason text,
      overlap text not null check (overlap in ('skip', 'allow')),
      failures int not null,
      version int not null,
      spec text not null,
      created_by text not null,
      next_ms bigint,
      last_due_ms bigint,
      created_ms bigint not null,
      updated_ms bigint not null,
      primary key (tenant, id),
      check ((next_ms is not null) = (state = 'active'))
    )`,
    `create index schedules_due on schedules (next_ms) where next_ms is not null`,
    `create table schedule_runs (
      tenant text collate "C" not null,
      id uuid not null,
      schedule_id uuid not null,
      is_manual boolean not null,
      status text not null check (status in ('running', 'completed', 'failed', 'skipped')),
      due_ms bigint not null,
      fired_ms bigint not null,
      missed int not null,
      attempt int not null,
      call_id uuid,
      tries text not null,
      request text,
      look_ms bigint,
      finished_ms bigint,
      primary key (tenant, id),
      foreign key (tenant, schedule_id) references schedules on delete cascade,
      check ((finished_ms is null) = (status = 'running')),
      check ((finished_ms is null) = (look_ms is not null))
    )`,
    `create index schedule_runs_by_schedule on schedule_runs (tenant, schedule_id, id)`,
    // The last word against two runs for one moment.
    `create unique index schedule_runs_once on schedule_runs (tenant, schedule_id, due_ms)
      where not is_manual`,
    `create index schedule_runs_open on schedule_runs (tenant, schedule_id) where finished_ms is null`,
    `create index schedule_runs_to_look_at on schedule_runs (look_ms) where finished_ms is null`,
  ],
  '0007_approvals': [
    `create table approvals (
      tenant text collate "C" not null,
      id uuid not null,
      call_id uuid not null,
      tool text collate "C" not null,
      principal text collate "C" not null,
      status text not null check (status in
        ('pending', 'approved', 'rejected', 'expired', 'cancelled')),
      revision int not null default 0,
      reasons text not null,
      needed int not null,
      approvers text,
      is_requester_barred boolean not null,
      created_ms bigint not null,
      expires_ms bigint not null,
      decided_ms bigint,
      primary key (tenant, id)
    )`,
    `create unique index approvals_by_call on approvals (tenant, call_id)`,
    `create index approvals_by_status on approvals (tenant, status, id)`,
    `create index approvals_by_tool on approvals (tenant, tool, status, id)`,
    `create index approvals_by_principal on approvals (tenant, principal, status, id)`,
    `create table approval_decisions (
      tenant text collate "C" not null,
      approval_id uuid not null,
      number int not null,
      principal text not null,
      decision text not null,
      reason text,
      is_edited boolean not null,
      revision int not null,
      at_ms bigint not null,
      primary key (tenant, approval_id, number)
    )`,
    `create table approval_rules (
      tenant text collate "C" not null,
      id uuid not null,
      tool text collate "C" not null,
      facts text not null,
      created_ms bigint not null,
      expires_ms bigint not null,
      revoked_ms bigint,
      primary key (tenant, id)
    )`,
    `create index approval_rules_by_tool on approval_rules (tenant, tool, expires_ms)
      where revoked_ms is null`,
    `create index approval_rules_by_expiry on approval_rules (tenant, expires_ms)
      where revoked_ms is null`,
    `create table approval_notices (
      tenant text collate "C" not null,
      approval_id uuid not null,
      call_id uuid not null,
      tries int not null default 0,
      created_ms bigint not null,
      due_ms bigint not null,
      primary key (tenant, approval_id)
    )`,
    `create index approval_notices_by_due on approval_notices (due_ms)`,
    // However a waiting call ends, there is nothing left to decide: in the same transaction, so that
    // no list shows an approval whose call is over. A decision closes its approval before.
    `create function close_approval() returns trigger language plpgsql
      set search_path from current as $$
      begin
        update approvals set status = 'cancelled', decided_ms = new.settled_ms
          where tenant = new.tenant and call_id = new.id and status = 'pending';
        return null;
      end $$`,
    `create trigger close_approval after update of status on calls for each row
      when (old.waiting_for = 'approval' and new.settled_ms is not null)
      execute function close_approval()`,
  ],
  '0008_tools_of_nodes': [`alter table nodes add column tools jsonb`],
}

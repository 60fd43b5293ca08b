/** Calls that wait or run later: queue, groups, schedules, approvals. */
export const durableWork: Readonly<Record<string, readonly string[]>> = {
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

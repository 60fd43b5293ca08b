/**
 * Calls that can be resumed wait for any of the calls they made, and are woken by the transaction
 * that settles one.
 */
export const stepCalls: Readonly<Record<string, readonly string[]>> = {
  '0048_step_calls': [
    `alter table calls
      add column wakes bigint not null default 0,
      add column wake_at bigint,
      add column parent_wake bigint`,
    `alter type new_call add attribute parent_wake bigint`,
    `alter type call_change add attribute wake_at bigint`,
    // In the transaction that settles the call, however it does: nothing can get lost in between.
    `create function wake_parent() returns trigger language plpgsql
      set search_path from current as $$
      begin
        update calls set wakes = wakes + new.parent_wake
          where tenant = new.tenant and id = new.parent_id and coalesce(settled_ms, 0) = 0;
        return null;
      end $$`,
    `create trigger wake_parent after update of status on calls for each row
      when (new.parent_wake is not null and old.settled_ms is null and new.settled_ms is not null)
      execute function wake_parent()`,
    `drop index calls_waiting_for_calls`,
    `create index calls_waiting_for_calls on calls (tenant, id)
      where status = 'waiting' and waiting_for = 'call' and wake_at is null`,
    `create index calls_waiting_for_steps on calls (tenant, id)
      where status = 'waiting' and waiting_for = 'call' and wake_at is not null`,
    `create index calls_to_wake on calls (tenant, id)
      where status = 'waiting' and waiting_for = 'call' and wakes >= wake_at`,
    `create index calls_as_steps on calls (tenant, id)
      where parent_wake is not null and settled_ms is null`,
  ],
}

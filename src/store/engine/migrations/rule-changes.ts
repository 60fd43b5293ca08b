/**
 * A statement that writes many rules notes their tenant once. Once for each row, all in one
 * transaction, took the longer the more there were: each had to find its way past the others' notes.
 */
export const ruleChanges: Readonly<Record<string, readonly string[]>> = {
  '0032_rule_changes': [
    `create function note_changed_tenants() returns trigger language plpgsql
      set search_path from current as $$
      begin
        insert into tenant_changes
          select distinct tenant, pg_current_xact_id() from changed order by tenant
          on conflict (tenant) do update set xid = excluded.xid;
        return null;
      end $$`,
    `drop trigger note_change on rules`,
    `create trigger note_insert after insert on rules referencing new table as changed
      for each statement execute function note_changed_tenants()`,
    `create trigger note_update after update on rules referencing new table as changed
      for each statement execute function note_changed_tenants()`,
    `create trigger note_delete after delete on rules referencing old table as changed
      for each statement execute function note_changed_tenants()`,
  ],
}

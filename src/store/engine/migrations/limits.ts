/**
 * Counts that nodes share: calls in slices of time, permits of running calls, and warnings that
 * were given.
 */
export const limits: Readonly<Record<string, readonly string[]>> = {
  '0014_limits': [
    // The slices of `src/core/limits/window.ts`: newest first, `slot` is the newest one's number.
    `create table limit_counts (
      tenant text collate "C" not null,
      limit_key text collate "C" not null,
      subject text collate "C" not null,
      slot bigint not null,
      used int[] not null,
      primary key (tenant, limit_key, subject)
    )`,
    `create index limit_counts_by_slot on limit_counts (slot)`,
    // A row is deleted with its node; until then it counts only while the node lives.
    `create table limit_places (
      tenant text collate "C" not null,
      limit_key text collate "C" not null,
      subject text collate "C" not null,
      node text not null references nodes on delete cascade,
      held int not null,
      primary key (tenant, limit_key, subject, node)
    )`,
    `create index limit_places_by_node on limit_places (node)`,
    `create table limit_notices (
      tenant text collate "C" not null,
      limit_key text collate "C" not null,
      measure text collate "C" not null,
      subject text collate "C" not null,
      period_start timestamp not null,
      primary key (tenant, limit_key, measure, subject)
    )`,
    // The same as takeFromWindow, under a lock of the row. The time is read once the lock is held,
    // so that a caller who waited for it does not count in a slice that is over.
    `create function take_permits(
      of_tenant text, of_limit text, of_subject text, most int, wanted int, at_ms bigint default null,
      out granted int, out window_slot bigint, out window_used int[], out clock_ms bigint
    ) language plpgsql set search_path from current as $$
      declare
        slices constant int := 13;
        slice_ms constant int := 5000;
        row_slot bigint;
        row_used int[];
        passed bigint;
        total bigint;
      begin
        insert into limit_counts values
          (of_tenant, of_limit, of_subject, 0, array_fill(0, array[slices]))
          on conflict do nothing;
        select c.slot, c.used into row_slot, row_used from limit_counts c
          where c.tenant = of_tenant and c.limit_key = of_limit and c.subject = of_subject
          for update;
        clock_ms := coalesce(at_ms, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
        window_slot := clock_ms / slice_ms;
        select coalesce(sum(u), 0) into total from unnest(row_used) u;
        passed := least(window_slot - row_slot, slices);
        if passed < 0 then
          row_used := array[total::int] || array_fill(0, array[slices - 1]);
        elsif passed > 0 then
          row_used := array_fill(0, array[passed::int]) || row_used[1:slices - passed::int];
          select coalesce(sum(u), 0) into total from unnest(row_used) u;
        end if;
        granted := greatest(0, least(wanted, most - total));
        row_used[1] := row_used[1] + granted;
        window_used := row_used;
        update limit_counts c set slot = window_slot, used = row_used
          where c.tenant = of_tenant and c.limit_key = of_limit and c.subject = of_subject;
      end $$`,
    // One at a time for each count. Statements of a function see everything committed before them,
    // so an earlier holder of the lock is counted.
    `create function hold_places(
      of_tenant text, of_limit text, of_subject text, of_node text,
      most int, wanted int, in_use int, timeout_ms double precision
    ) returns int language plpgsql set search_path from current as $$
      declare
        others bigint;
        kept int;
      begin
        perform pg_advisory_xact_lock(hashtextextended(
          'toolcrib limit ' || of_tenant || ' ' || of_limit || ' ' || of_subject, 0));
        select coalesce(sum(p.held), 0) into others from limit_places p join nodes n on n.id = p.node
          where p.tenant = of_tenant and p.limit_key = of_limit and p.subject = of_subject
            and p.node <> of_node
            and n.seen_at > clock_timestamp() - make_interval(secs => timeout_ms / 1000);
        kept := greatest(in_use, least(wanted, most - others), 0);
        if kept = 0 then
          delete from limit_places p where p.tenant = of_tenant and p.limit_key = of_limit
            and p.subject = of_subject and p.node = of_node;
        else
          insert into limit_places values (of_tenant, of_limit, of_subject, of_node, kept)
            on conflict (tenant, limit_key, subject, node) do update set held = excluded.held;
        end if;
        return kept;
      end $$`,
  ],
}

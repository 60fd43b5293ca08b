import type { Statement } from '../../engine/engine.ts'
import { stepWake } from '../../../core/pipeline/record/step-wake.ts'
import { newCallColumns } from '../call-rows.ts'

const chunkColumns =
  'tenant, stream, first_seq, last_seq, is_call, session_id, agent, principal, types, items'
const callColumns = newCallColumns
  .map(([name]) => name)
  .filter((name) => name !== 'types' && name !== 'items')
  .join(', ')

/** Calls with their first events; with their last ones too where they are written whole. Answers with its number. */
export const insertCalls: Statement = {
  name: 'insert_calls',
  text: `with n as (select * from unnest($1::new_call[])),
    c as (insert into calls (${callColumns}, node) select ${callColumns}, $2 from n),
    e as (insert into events (${chunkColumns})
      select tenant, id, 1, last_seq, true, session_id, agent, principal, types, items
      from n where last_seq > 0)
    select pg_current_xact_id()::text`,
}

/**
 * Calls with an idempotency key: the first to come is written and handed back. Sorted, so that two
 * nodes with the same keys in one batch wait for each other in one direction only.
 */
export const insertKeyedCalls: Statement = {
  name: 'insert_keyed_calls',
  text: `with n as (select * from unnest($1::new_call[])),
    c as (insert into calls (${callColumns}, node) select ${callColumns}, $2 from n
      order by tenant, tool, idempotency_key
      on conflict (tenant, tool, idempotency_key) where idempotency_key is not null do nothing
      returning id),
    e as (insert into events (${chunkColumns})
      select tenant, id, 1, last_seq, true, session_id, agent, principal, types, items
      from n where last_seq > 0 and id in (select id from c))
    select id::text, pg_current_xact_id()::text from c`,
}

/**
 * Calls that join a group, which counts them in the same statement; a group that is sealed, or none
 * of this tenant's, lets nobody in. Its row is locked first, so that a seal comes before or after,
 * never in between. With a key, the first to come is written, as above.
 */
export const insertGroupedCalls: Statement = {
  name: 'insert_grouped_calls',
  text: `with n as (select * from unnest($1::new_call[])),
    j as materialized (select g.tenant, g.id from groups g
      where (g.tenant, g.id) in (select tenant, group_id from n) and not g.is_sealed
      order by g.tenant, g.id for update),
    c as (insert into calls (${callColumns}, node) select ${callColumns}, $2 from n
      where exists (select from j where j.tenant = n.tenant and j.id = n.group_id)
      order by tenant, tool, idempotency_key
      on conflict (tenant, tool, idempotency_key) where idempotency_key is not null do nothing
      returning id, tenant, group_id),
    g as (update groups g set members = g.members + d.joined, pending = g.pending + d.joined
      from (select tenant, group_id, count(*)::int as joined from c group by tenant, group_id) d
      where g.tenant = d.tenant and g.id = d.group_id),
    e as (insert into events (${chunkColumns})
      select tenant, id, 1, last_seq, true, session_id, agent, principal, types, items
      from n where last_seq > 0 and id in (select id from c))
    select id::text, pg_current_xact_id()::text from c`,
}

/**
 * Every change of a call, and the only way into a settled status. Rows are locked in the order of
 * their ids, so two batches cannot deadlock. A settled call, or one in another attempt or status
 * than the writer's, is left alone and not returned. A node that was thought dead finds its call in
 * another attempt, however late it wakes. The chunk carries the later of this transaction's number
 * and the call's last: a transaction that began earlier but got the lock later would otherwise sort
 * its events before the ones they follow.
 *
 * A settled member counts its group down in the same statement, so the last one settles the group.
 * Of several in one batch, one is noted as the last.
 *
 * A step that began at once and stops halfway wakes its parent from then on when it settles.
 *
 * The limit is the number of rows and the coalesce is a plain null check; both are for the planner,
 * which would otherwise scan all unsettled calls instead of finding each by its key.
 */
export const changeCalls: Statement = {
  name: 'change_calls',
  text: `with n as materialized (select n.* from
        (select * from unnest($1::call_change[]) order by tenant, id limit $3) n
        cross join lateral (select from calls c where c.tenant = n.tenant and c.id = n.id for update) l),
    u as (update calls c set
        status = case n.kind when 'settle' then n.status when 'start' then 'running'
          when 'requeue' then 'queued' when 'release' then 'queued' when 'wait' then 'waiting'
          when 'reopen' then 'waiting'
          else c.status end,
        attempt = case n.kind when 'start' then c.attempt + 1 else c.attempt end,
        node = case when n.kind = 'start' then $2
          when n.kind in ('requeue', 'release', 'wait', 'reopen') then null else c.node end,
        started_ms = case n.kind when 'start' then n.at_ms when 'requeue' then null
          else c.started_ms end,
        settled_ms = case n.kind when 'settle' then n.at_ms end,
        waiting_for = case when n.kind in ('wait', 'reopen') then n.waiting_for
          when n.kind = 'append' then c.waiting_for end,
        is_approved = n.kind <> 'reopen'
          and (c.is_approved or n.kind = 'release' and c.waiting_for = 'approval'),
        takeovers = c.takeovers + (n.kind = 'start' and c.status = 'running')::int,
        failures = c.failures + (n.kind = 'requeue' and n.status is not null)::int,
        has_waited = c.has_waited or n.kind = 'wait' and n.waiting_for = 'call',
        token_hash = case n.kind when 'start' then n.token_hash when 'requeue' then null
          when 'settle' then coalesce('used:' || n.token_hash, c.token_hash)
          else c.token_hash end,
        deadline_ms = case n.kind when 'append' then c.deadline_ms when 'settle' then null
          else n.deadline_ms end,
        queue = coalesce(n.queue, c.queue),
        input = coalesce(n.input, c.input),
        tool_version = coalesce(n.tool_version, c.tool_version),
        wake_at = case n.kind when 'wait' then n.wake_at when 'append' then c.wake_at end,
        parent_wake = case when n.kind in ('wait', 'requeue') and c.parent_wake is null
          and position('"stepKey"' in c.facts) > 0 then ${stepWake} else c.parent_wake end,
        outcome = n.outcome,
        last_seq = c.last_seq + n.added,
        xid = greatest(c.xid, pg_current_xact_id())
      from n
      where c.tenant = n.tenant and c.id = n.id and coalesce(c.settled_ms, 0) = 0
        and (n.from_status is null or n.from_status = c.status)
        and (n.attempt is null or n.attempt = c.attempt)
        and case n.kind when 'settle' then n.token_hash is null or n.token_hash = c.token_hash
          when 'requeue' then c.status = 'running' when 'wait' then c.status = 'running'
          when 'release' then c.status = 'waiting'
          when 'reopen' then c.status = 'queued' and c.is_approved else true end
      returning c.tenant, c.id, c.attempt, c.last_seq, c.xid, c.session_id, c.agent, c.principal,
        c.queue, c.group_id, c.status, c.tool, c.started_ms, c.facts, n.kind, n.at_ms, n.added,
        n.types, n.items),
    e as (insert into events (${chunkColumns}, xid)
      select tenant, id, last_seq - added + 1, last_seq, true, session_id, agent, principal, types,
        items, xid
      from u where added > 0),
    g as (update groups g set pending = g.pending - d.ended, failed = g.failed + d.failed,
        settled_ms = case when g.is_sealed and g.pending = d.ended then d.at_ms
          else g.settled_ms end,
        settled_by = case when g.is_sealed and g.pending = d.ended then d.last_id
          else g.settled_by end
      from (select tenant, group_id, count(*)::int as ended, max(at_ms) as at_ms,
          max(id::text)::uuid as last_id,
          count(*) filter (where status <> 'completed')::int as failed
        from u where kind = 'settle' and group_id is not null
        group by tenant, group_id order by tenant, group_id) d
      where g.tenant = d.tenant and g.id = d.group_id)
    select id::text, attempt::text, queue, xid::text, last_seq::text, session_id, agent, principal,
      tool, started_ms::text, case when position('"onBehalfOf"' in facts) > 0 then facts end
    from u`,
}

/** Events outside of calls. */
export const insertChunks: Statement = {
  name: 'insert_chunks',
  text: `with e as (insert into events (${chunkColumns})
      select tenant, stream, first_seq, last_seq, false, session_id, agent, principal, types, items
      from unnest($1::new_chunk[]))
    select pg_current_xact_id()::text`,
}

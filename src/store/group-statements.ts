import type { Statement } from './engine/engine.ts'
import { toNowMs } from './engine/now-ms.ts'
import { callSelection } from './log/read-call-rows.ts'
import { isOfActive } from './log/active-tenants.ts'

const selection = `tenant, id::text, continuation, is_sealed::text, members::text, pending::text,
  failed::text, attempt::text, deadline_ms::text, settled_ms::text, continued_ms::text,
  settled_by::text`

/** The lease is nobody's: never given, or over. */
const isFree = (now: string) => `(lease_ms is null or lease_ms <= ${toNowMs(now)})`

/**
 * A group is a stream of its own with at most three events, each at its own place: however often it
 * is recorded, each is there once. It consists of digits and a kind, so no text needs escaping.
 */
const chunk = (from: { seq: string; type: string; at: string }) => `g.tenant, g.id, ${from.seq},
  ${from.seq}, false, 'system:groups', ${from.type},
  '[[' || ${from.at} || ',{"groupId":"group_' || replace(g.id::text, '-', '') || '","kind":"'
    || split_part(g.continuation, chr(10), 1) || '","members":' || g.members || ',"pending":'
    || g.pending || ',"failed":' || g.failed || ',"attempt":' || g.attempt || '}]]'`

const chunkColumns = 'tenant, stream, first_seq, last_seq, is_call, principal, types, items'

export const createGroup: Statement = {
  name: 'create_group',
  text: `insert into groups (tenant, id, continuation, created_ms, deadline_ms)
    values ($1, $2::uuid, $3, $4, $5) on conflict do nothing`,
}

/** Settles it, too, where all its members have. */
export const sealGroup: Statement = {
  name: 'seal_group',
  text: `with g as (update groups set is_sealed = true,
        settled_ms = case when pending = 0 then $3::bigint end
      where tenant = $1 and id = $2::uuid and not is_sealed returning *),
    e as (insert into events (${chunkColumns})
      select ${chunk({ seq: '1', type: `'group.sealed'`, at: '$3::bigint' })} from g)
    select ${selection} from g`,
}

export const findGroup: Statement = {
  name: 'find_group',
  text: `select ${selection} from groups where tenant = $1 and id = $2::uuid`,
}

export const listMembers: Statement = {
  name: 'list_group_members',
  text: `select ${callSelection}, idempotency_key from calls
    where tenant = $1 and group_id = $2::uuid order by calls.id`,
}

/**
 * Groups are settled in the statement that settles calls, which records no other events to stay fast.
 * The next reader records the group's events, after the seal and before the group continues.
 */
export const announceSettled: Statement = {
  name: 'announce_settled_groups',
  text: `insert into events (${chunkColumns})
    select ${chunk({ seq: '2', type: `'group.settled'`, at: 'g.settled_ms' })} from groups g
    where g.settled_ms is not null and g.continued_ms is null
      and not exists (select from events e where e.stream = g.id and e.last_seq = 2)
    order by g.settled_ms limit $1
    on conflict do nothing returning stream::text`,
}

export const claimGroups: Statement = {
  name: 'claim_groups',
  text: `with c as (select tenant, id from groups
      where settled_ms is not null and continued_ms is null and ${isFree('$4')} and ${isOfActive}
        and split_part(continuation, chr(10), 1) in (select json_array_elements_text($1::json))
      order by settled_ms limit $3 for update skip locked)
    update groups g set attempt = g.attempt + 1, lease_ms = ${toNowMs('$4')} + $2::bigint
    from c where g.tenant = c.tenant and g.id = c.id
    returning ${selection.replaceAll(/\b(tenant|id::text)\b/g, 'g.$1')}`,
}

export const holdGroup: Statement = {
  name: 'hold_group',
  text: `update groups set attempt = attempt + 1, lease_ms = ${toNowMs('$4')} + $3::bigint
    where tenant = $1 and id = $2::uuid and continued_ms is null and ${isFree('$4')}
    returning attempt::text`,
}

export const keepGroup: Statement = {
  name: 'keep_group',
  text: `update groups set lease_ms = ${toNowMs('$5')} + $4::bigint
    where tenant = $1 and id = $2::uuid and attempt = $3::int and continued_ms is null
    returning id::text`,
}

/** Records the events of one group, so that later ones come after them in the feed. */
export const announceGroup: Statement = {
  name: 'announce_settled_group',
  text: `insert into events (${chunkColumns})
    select ${chunk({ seq: '2', type: `'group.settled'`, at: 'g.settled_ms' })} from groups g
    where g.tenant = $1 and g.id = $2::uuid and g.settled_ms is not null
    on conflict do nothing`,
}

/**
 * Only if the settled event was recorded by a transaction that has ended. A running one could have a
 * higher number than this one, and its event would sort after this one's.
 */
export const finishGroup: Statement = {
  name: 'finish_group',
  text: `with g as (update groups g set continued_ms = $4::bigint, lease_ms = null
      where g.tenant = $1 and g.id = $2::uuid and g.attempt = $3::int and g.settled_ms is not null
        and g.continued_ms is null
        and exists (select from events e where e.stream = g.id and e.last_seq = 2) returning g.*),
    e as (insert into events (${chunkColumns})
      select ${chunk({ seq: '3', type: `'group.continued'`, at: 'g.continued_ms' })} from g)
    select id::text from g`,
}

export const findOverdueGroups: Statement = {
  name: 'find_overdue_groups',
  text: `select ${selection} from groups
    where settled_ms is null and deadline_ms is not null and deadline_ms < $1 and ${isOfActive}
    order by deadline_ms limit $2`,
}

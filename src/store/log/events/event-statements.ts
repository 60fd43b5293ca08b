import type { Statement } from '../../engine/engine.ts'
import { chunkSelection } from './event-chunks.ts'

/** Parameters of every reading: tenant; era, xid, stream and seq of the cursor; number of chunks to look at; types; bytes to hand back. */
const beyondCursor = `tenant = $1 and (era, xid, stream, last_seq) > ($2::int, $3::xid8, $4::uuid, $5::int)`
const feedOrder = ['era', 'xid', 'stream', 'last_seq']

/**
 * Only what every transaction before it has finished: a transaction that began earlier may commit
 * later, and a reader that had gone past its number would never see it. Measured with 12 writers,
 * a feed without this lost 40 % of the events.
 */
const belowHorizon = (era: string, horizon: string) =>
  `(era, xid) < (${era}::int, coalesce(${horizon}::xid8, pg_snapshot_xmin(pg_current_snapshot())))`

export const readByTenant = reading('read_events_by_tenant', {
  chunks: `events where ${beyondCursor} and ${belowHorizon('$9', '$10')}`,
  order: feedOrder,
})

/** The settled range: after the cursor, up to and including this place. */
export const readBetween = reading('read_events_between', {
  chunks: `events where ${beyondCursor}
    and (era, xid, stream, last_seq) <= ($9::int, $10::xid8, $11::uuid, $12::int)`,
  order: feedOrder,
})

/** How many chunks lie there: tenant, the place before the first, the place of the last. */
export const countBetween: Statement = {
  name: 'count_events_between',
  text: `select count(*)::text from events where ${beyondCursor}
    and (era, xid, stream, last_seq) <= ($6::int, $7::xid8, $8::uuid, $9::int)`,
}

export const readBySession = reading('read_events_by_session', {
  chunks: `events where ${beyondCursor} and ${belowHorizon('$9', '$10')} and session_id = $11`,
  order: feedOrder,
})

/**
 * Within a call the row lock has put everything in order already, so nothing needs to be held back.
 * The offset keeps the planner from looking for the call in the index of the tenant's whole feed.
 */
export const readByCall = reading('read_events_by_call', {
  chunks: `(select * from events where stream = $9::uuid and last_seq > $10::int
      order by last_seq offset 0) events
    where is_call and ${beyondCursor} and ($11::text is null or session_id = $11)`,
  order: ['last_seq'],
})

/** Events recorded outside of calls under one id. */
export const readByStream: Statement = {
  name: 'read_events_by_stream',
  text: `select ${chunkSelection}, items from events
    where stream = $2::uuid and tenant = $1 and not is_call order by last_seq`,
}

export const findEnd: Statement = {
  name: 'find_end_of_events',
  text: `select ${chunkSelection}, null from events where tenant = $1 and ${belowHorizon('$2', '$3')}
    order by events.era desc, events.xid desc, events.stream desc, events.last_seq desc offset $4 limit 1`,
}

/**
 * Scans a bounded number of chunks in order and returns those with a wanted type, with the number
 * of matches and their last number; then the last chunk scanned, without its items, so that reading
 * can continue from there. It stops returning chunks once those before are large enough, judged by
 * size alone (octet_length reads no text), so that the others are never fetched. The order names
 * its table: a bare `xid` would be the selected text, in which 10 comes before 9.
 */
function reading(
  name: string,
  { chunks, order }: { chunks: string; order: readonly string[] },
): Statement {
  const orderOf = (table: string) => order.map((column) => `${table}.${column}`).join(', ')
  return {
    name,
    text: `select ${chunkSelection}, case when is_wanted then items end, total::text, number::text
      from (
        select *, row_number() over seen as number, lead(true) over seen is null as is_last,
          count(*) over () as total, sum(bytes) over seen - bytes as bytes_before
        from (
          select *, case when is_wanted then octet_length(items) else 0 end as bytes
          from (
            select *, $7::text[] is null or string_to_array(types, ' ') && $7::text[] as is_wanted
            from ${chunks} order by ${orderOf('events')} limit $6
          ) looked
        ) chunk
        window seen as (order by ${orderOf('chunk')})
      ) found
      where bytes_before < $8::bigint and (is_wanted or is_last) order by ${orderOf('found')}`,
  }
}

import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { areOutsideCalls } from '../../event-types.ts'
import { toNeedle } from '../../../core/audit/audit-filter.ts'
import type { AuditFilter } from '../../../core/audit/audit-filter.ts'
import type { Principal } from '../../../core/kernel/call.ts'
import type { Engine, TextRow } from '../../../store/engine/engine.ts'
import { parseCallId } from '../../../store/log/call-id.ts'
import { chunkSelection } from '../../../store/log/events/event-chunks.ts'
import type { EventPosition } from '../../../store/log/events/event-cursor.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'

/** One look at a stretch of the feed: events after `above` and before `below`, from either end. */
export interface Scan {
  tenant: string
  filter: AuditFilter
  order: 'newest' | 'oldest'
  above: EventPosition
  below: EventPosition
  era: number
  horizon: string | null
}

/** The rows a look gave: those that may fit, and the last it looked at. */
export interface Scanned {
  /** As `expandChunk` reads them; the tool of the call follows the items. */
  rows: TextRow[]
  /** Nothing more in this direction. */
  isAtEnd: boolean
}

export const scannedToolIndex = 12

/**
 * Scans a bounded number of rows and returns those that may match, up to a number of bytes.
 * Conditions that need no decoding are checked here, so that fewer rows travel.
 */
export async function scanEvents(
  engine: Engine,
  scan: Scan,
  most: { rows: number; bytes: number },
): Promise<Scanned> {
  const order = orderOf(scan.order)
  const { rows } = await sql<Record<string, string | null>>`
    select ${sql.raw(chunkSelection)}, case when is_wanted then items end as items,
      case when is_wanted and is_call then
        (select c.tool from calls c where c.tenant = found.tenant and c.id = found.stream) end as tool,
      number::text as number, total::text as total
    from (
      select *, row_number() over seen as number, lead(true) over seen is null as is_last,
        count(*) over () as total, sum(bytes) over seen - bytes as bytes_before
      from (
        select *, case when is_wanted then octet_length(items) else 0 end as bytes
        from (
          select *, (${wantedBy(scan.filter)}) as is_wanted
          from (${stretchOf(scan)} order by ${order('events')} limit ${most.rows}) e
        ) looked
      ) chunk
      window seen as (order by ${order('chunk')})
    ) found
    where bytes_before < ${most.bytes} and (is_wanted or is_last) order by ${order('found')}`.execute(
    engine.db,
  )
  const last = rows.at(-1)
  const isWhole = last === undefined || last['number'] === last['total']
  const isAtEnd = isWhole && Number(last?.['total'] ?? 0) < most.rows
  return { rows: rows.map((row) => Object.values(row)), isAtEnd }
}

function orderOf(direction: Scan['order']): (table: string) => RawBuilder<unknown> {
  const way = direction === 'newest' ? ' desc' : ''
  const columns = ['era', 'xid', 'stream', 'last_seq']
  return (table) => sql.raw(columns.map((column) => `${table}.${column}${way}`).join(', '))
}

/** Rows that hold an event between the two places: the one at the edge is cut where it is taken apart. */
function stretchOf({ tenant, filter, above, below, era, horizon }: Scan): RawBuilder<unknown> {
  const conditions = [
    sql`tenant = ${tenant}`,
    sql`(era, xid, stream, last_seq) > (${above.era}::int, ${above.xid}::xid8, ${above.stream}::uuid, ${above.seq}::int)`,
    sql`(era, xid, stream) <= (${below.era}::int, ${below.xid}::xid8, ${below.stream}::uuid)`,
    sql`(era, xid) < (${era}::int, coalesce(${horizon}::xid8, pg_snapshot_xmin(pg_current_snapshot())))`,
  ]
  const { sessionId, callId, types } = filter
  if (sessionId !== undefined) conditions.push(sql`session_id = ${toStoredText(sessionId)}`)
  if (callId !== undefined) {
    // An invalid call id has no events, rather than everyone's.
    conditions.push(sql`is_call and stream = ${parseCallId(callId) ?? null}::uuid`)
  }
  if (types !== undefined && areOutsideCalls(types)) conditions.push(sql`not is_call`)
  return sql`select * from events where ${sql.join(conditions, sql` and `)}`
}

function wantedBy(filter: AuditFilter): RawBuilder<unknown> {
  const { types, agent, principal, tool, verdict, layer, text } = filter
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (types !== undefined) {
    conditions.push(sql`string_to_array(types, ' ') && ${`{${types.join(',')}}`}::text[]`)
  }
  if (agent !== undefined) conditions.push(sql`agent = ${toStoredText(agent)}`)
  if (principal !== undefined) conditions.push(isBy(toStoredText(principal)))
  if (tool !== undefined) conditions.push(isAbout(toStoredText(tool)))
  if (verdict !== undefined) conditions.push(holds(`"verdict":${JSON.stringify(verdict)}`))
  if (layer !== undefined) conditions.push(holds(`"layer":${JSON.stringify(layer)}`))
  if (text !== undefined) {
    conditions.push(sql`position(${toNeedle(text)} in lower(items collate "C")) > 0`)
  }
  return sql.join(conditions, sql` and `)
}

const kinds: readonly Principal['kind'][] = ['user', 'key', 'agent', 'worker', 'embed', 'system']

/** By them or on their behalf. The second is recorded in the call, whichever event it is. */
function isBy(wanted: string): RawBuilder<unknown> {
  const isNamed = kinds.some((kind) => wanted.startsWith(`${kind}:`))
  const names = isNamed ? [wanted] : kinds.map((kind) => `${kind}:${wanted}`)
  const behalf = names.map((name) => {
    const colon = name.indexOf(':')
    const id = JSON.stringify(name.slice(colon + 1))
    return sql`position(${`"onBehalfOf":{"kind":"${name.slice(0, colon)}","id":${id}}`} in c.facts) > 0`
  })
  return sql`(principal = any (${names}::text[]) or is_call and exists (
    select from calls c where c.tenant = e.tenant and c.id = e.stream
      and (${sql.join(behalf, sql` or `)})))`
}

function isAbout(tool: string): RawBuilder<unknown> {
  return sql`case when is_call then exists (
      select from calls c where c.tenant = e.tenant and c.id = e.stream and c.tool = ${tool})
    else ${holds(JSON.stringify(tool))} end`
}

function holds(text: string): RawBuilder<unknown> {
  return sql`position(${text} in items) > 0`
}

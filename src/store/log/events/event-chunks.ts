import type { CribEvent, EventFact, EventType, NewEvent } from '../../../core/events/event.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import type { UsageEvent } from '../../../core/usage/fold-usage.ts'
import type { TextRow } from '../../engine/engine.ts'
import { toCallId } from '../call-id.ts'
import { encodeCursor } from './event-cursor.ts'
import type { EventPosition } from './event-cursor.ts'
import { parsePrincipal } from '../principal-text.ts'
import { toJsonText, toStoredMs } from '../stored-text.ts'

/** Events that were committed together share a row: `types` names them, `items` holds `[at, data]` of each. */
export interface EventChunk {
  count: number
  types: string
  items: string
}

let watcher: ((event: NewEvent) => void) | undefined

/** Shows every event to a test before it is written. Only `test/setup/check-events.ts` uses it. */
export function watchWrites(look: (event: NewEvent) => void): void {
  watcher = look
}

export function toChunk(events: readonly NewEvent[]): EventChunk {
  if (watcher !== undefined) events.forEach(watcher)
  return {
    count: events.length,
    types: events.map((event) => event.type).join(' '),
    items: toJsonText(events.map((event) => [toStoredMs(event.at), event.data])),
  }
}

/**
 * The columns that `expandChunk` reads, in its order, as text. `items` is selected last, by the
 * query.
 */
export const chunkSelection = `tenant, era::text, xid::text, stream::text, first_seq::text,
  last_seq::text, is_call::text, session_id, agent, principal, types`
const itemsIndex = 11

/** Where a chunk ends in the order of the feed. */
export function chunkEnd(row: TextRow): EventPosition {
  return {
    era: Number(row[1]),
    xid: row[2] ?? '0',
    stream: (row[3] ?? '').replaceAll('-', ''),
    seq: Number(row[5]),
  }
}

/** Where a chunk begins. */
export function chunkStart(row: TextRow): EventPosition {
  return { ...chunkEnd(row), seq: Number(row[4]) }
}

/** The items of a chunk as they are stored. */
export function itemsOf(row: TextRow): string {
  return row[itemsIndex] ?? ''
}

/** About how much the events of a chunk weigh, where they were handed back. */
export function weighChunk(row: TextRow): number {
  return row[itemsIndex]?.length ?? 0
}

/** The events of a chunk, first to last. None where the query left its items out. */
export function expandChunk(row: TextRow): CribEvent[] {
  const items = row[itemsIndex]
  if (items == null) return []
  const end = chunkEnd(row)
  const types = (row[10] ?? '').split(' ') as EventType[]
  const firstSeq = Number(row[4])
  const isCall = row[6] === 'true'
  const principal = parsePrincipal(row[9] ?? '')
  return (JSON.parse(items) as [number, JsonValue][]).map(([at, data], index) => {
    const seq = firstSeq + index
    // Written by this version or an earlier one: its payload is not checked here.
    const fact = { type: types[index], data } as EventFact
    const event: CribEvent = {
      id: encodeCursor({ ...end, seq }),
      seq,
      at: new Date(at).toISOString(),
      tenant: row[0] ?? '',
      principal,
      ...fact,
    }
    if (isCall) event.callId = toCallId(end.stream)
    if (row[7] != null) event.sessionId = row[7]
    if (row[8] != null) event.agent = row[8]
    return event
  })
}

/** The last moment that a Date can be. */
const latestMs = 8.64e15

/** The events without what only readers need: their cursors, and times as text. */
export function expandPlain(row: TextRow): UsageEvent[] {
  const [, , , stream, , , isCall, , agent, principalText, types] = row
  const principal = parsePrincipal(principalText ?? '')
  const names = (types ?? '').split(' ') as EventType[]
  const callId = isCall === 'true' ? toCallId((stream ?? '').replaceAll('-', '')) : undefined
  const facts = { principal, ...(callId && { callId }), ...(agent != null && { agent }) }
  try {
    const items = JSON.parse(row[itemsIndex] ?? '[]') as [number, JsonValue][]
    return items.map(([at, data], index) => {
      // Throws for an invalid time.
      if (typeof at !== 'number' || Math.abs(at) > latestMs) throw new RangeError('no time')
      return { ...facts, type: names[index] as EventType, at, data }
    })
  } catch {
    // Folding must continue: a row that was made unreadable counts as empty.
    return []
  }
}

/** The same for readers that must continue: a row that was made unreadable counts as empty. */
export function expandReadable(row: TextRow): CribEvent[] {
  try {
    return expandChunk(row)
  } catch {
    return []
  }
}

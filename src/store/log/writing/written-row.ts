import type { NewEvent } from '../../../core/events/event.ts'
import { type UsageNote, toUsageNotes } from '../../../core/usage/fold-usage.ts'
import type { UsedCall } from '../../../core/usage/fold-usage.ts'
import type { RowField } from '../../engine/composite-rows.ts'
import type { TextRow } from '../../engine/engine.ts'
import { toStoredMs } from '../stored-text.ts'
import { toBehalf } from '../find-used-calls.ts'

/** Facts about the events of a row that the sealer needs, noted while they are in memory. */
export interface EventNote {
  latestMs: number
  usage: readonly UsageNote[]
}

/** One row of events as it was committed: all that is sealed of it, and that usage is made of. */
export interface WrittenRow extends EventNote {
  tenant: string
  xid: string
  /** 32 hex digits. */
  stream: string
  firstSeq: number
  lastSeq: number
  isCall: boolean
  sessionId: string | null
  agent: string | null
  principal: string
  types: string
  items: string
  /** Of a call that began in an earlier row. */
  call?: UsedCall
}

export function toEventNote(events: readonly NewEvent[]): EventNote {
  let latestMs = 0
  for (const { at } of events) latestMs = Math.max(latestMs, toStoredMs(at))
  return { latestMs, usage: toUsageNotes(events) }
}

/** Of a row of type `new_call`. By index, which is the cheapest: this is for every call. */
export function fromNewCall(row: readonly RowField[], note: EventNote, xid: string): WrittenRow {
  return {
    tenant: row[0],
    xid,
    stream: row[1],
    firstSeq: 1,
    lastSeq: row[9],
    isCall: true,
    sessionId: row[6],
    agent: row[4],
    principal: row[5],
    types: row[18],
    items: row[19],
    latestMs: note.latestMs,
    usage: note.usage,
  } as WrittenRow
}

/** Of a row of type `new_chunk`. */
export function fromNewChunk(row: readonly RowField[], note: EventNote, xid: string): WrittenRow {
  const [tenant, stream, firstSeq, lastSeq, sessionId, agent, principal, types, items] = row
  const place = { tenant, xid, stream, firstSeq, lastSeq, isCall: false }
  return { ...place, sessionId, agent, principal, types, items, ...note } as WrittenRow
}

/** Of a row of type `call_change`, and what the statement handed back of its call. */
export function fromCallChange(
  row: readonly RowField[],
  note: EventNote,
  changed: TextRow,
): WrittenRow {
  const [tenant, stream] = row
  const [added, types, items] = row.slice(7, 10)
  const [xid, last, sessionId, agent, principal, tool, startedMs, facts] = changed.slice(3)
  const lastSeq = Number(last)
  const place = { tenant, xid, stream, firstSeq: lastSeq - Number(added) + 1, lastSeq }
  const call: UsedCall = { tool: tool ?? '', ...toBehalf(facts ?? null) }
  if (startedMs != null) call.startedMs = Number(startedMs)
  const columns = { isCall: true, sessionId, agent, principal, types, items }
  return { ...place, ...columns, ...note, call } as WrittenRow
}

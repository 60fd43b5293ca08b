import { createUuid } from '../../../core/kernel/ids.ts'
import type { LooseEvents } from '../../../core/events/event-log.ts'
import type { Columns, RowField } from '../../engine/composite-rows.ts'
import { toChunk } from './event-chunks.ts'
import { toPrincipalText } from '../principal-text.ts'
import { toStoredText, toStoredTextOrNull } from '../stored-text.ts'
import { type EventNote, toEventNote } from '../writing/written-row.ts'

/** A page that starts inside a chunk reads it from its beginning, so chunks stay small. */
const maxEventsPerChunk = 100

/** The columns of the row type `new_chunk`, in its order. */
export const newChunkColumns = [
  ['tenant', 'text'],
  ['stream', 'uuid'],
  ['first_seq', 'int'],
  ['last_seq', 'int'],
  ['session_id', 'text'],
  ['agent', 'text'],
  ['principal', 'text'],
  ['types', 'text'],
  ['items', 'text'],
] as const satisfies Columns

interface ChunkRow {
  stream: string
  row: RowField[]
  note: EventNote
}

/** Rows for events outside of calls. Streams are time-ordered, so the feed keeps the order in which they were recorded. */
export function toChunkRows(entry: LooseEvents): ChunkRow[] {
  const rows: ChunkRow[] = []
  for (let first = 0; first < entry.events.length; first += maxEventsPerChunk) {
    const events = entry.events.slice(first, first + maxEventsPerChunk)
    const chunk = toChunk(events)
    // An id names the first chunk; entries that have one hold few events.
    const stream = first === 0 ? (entry.id ?? createUuid()) : createUuid()
    const row = [
      toStoredText(entry.tenant),
      stream,
      1,
      chunk.count,
      toStoredTextOrNull(entry.sessionId),
      toStoredTextOrNull(entry.agent),
      toPrincipalText(entry.principal),
      chunk.types,
      chunk.items,
    ]
    rows.push({ stream, row, note: toEventNote(events) })
  }
  return rows
}

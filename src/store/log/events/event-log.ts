import type { CribEvent } from '../../../core/events/event.ts'
import type { EventLog, EventPage, EventQuery } from '../../../core/events/event-log.ts'
import type { Engine, TextRow, Value } from '../../engine/engine.ts'
import { toStoreError } from '../../engine/store-error.ts'
import { parseCallId } from '../call-id.ts'
import { chunkEnd, expandChunk, weighChunk } from './event-chunks.ts'
import { compareCursors, encodeCursor, parseCursor, startPosition } from './event-cursor.ts'
import type { EventPosition } from './event-cursor.ts'
import {
  findEnd,
  readByCall,
  readBySession,
  readByStream,
  readByTenant,
} from './event-statements.ts'
import { createHorizon } from './event-horizon.ts'
import type { Horizon } from './event-horizon.ts'
import type { LogWriter } from '../writing/log-writer.ts'
import { toChunkRows } from './loose-events.ts'
import { toStoredText, toStoredTextOrNull } from '../stored-text.ts'
import { toPageLimit } from '../../engine/page.ts'

const maxPage = 1_000
const maxPageBytes = 1_048_576
/**
 * With a filter on types, a page scans at most this many chunks and then reports where it stopped.
 */
const windows = [500, 1_500, 3_000]

/** The event log. `era` is the current one, see EventPosition. */
export function createEventLog(engine: Engine, writer: LogWriter, era: number): EventLog {
  const horizon = createHorizon(engine)
  return {
    async record(entries) {
      const rows = entries.flatMap(toChunkRows)
      await Promise.all(rows.map(({ stream, ...entry }) => writer.write('chunk', stream, entry)))
    },
    async read(tenant, query) {
      try {
        return await readPage(engine, toReading(tenant, query, { era, horizon }))
      } catch (error) {
        throw toStoreError(error)
      }
    },
    async find(tenant, id) {
      if (!/^[0-9a-f]{32}$/.test(id)) return []
      try {
        const rows = await engine.run(readByStream, [toStoredText(tenant), id])
        return rows.flatMap(expandChunk)
      } catch (error) {
        throw toStoreError(error)
      }
    },
    async end(tenant, back = 0) {
      try {
        const [row] = await engine.run(findEnd, [
          toStoredText(tenant),
          era,
          await horizon(),
          Math.max(0, Math.trunc(back)),
        ])
        return encodeCursor(row ? chunkEnd(row) : startPosition)
      } catch (error) {
        throw toStoreError(error)
      }
    },
    compare: compareCursors,
    watch: (listener) => engine.watch(listener),
  }
}

interface Reading {
  query: EventQuery
  limit: number
  maxBytes: number
  after: EventPosition
  run(engine: Engine, after: EventPosition, most: Most): Promise<TextRow[]>
}

/** How many chunks a statement looks at, and about how many bytes of them it hands back. */
interface Most {
  rows: number
  bytes: number
}

function toReading(
  tenant: string,
  query: EventQuery,
  { era, horizon }: { era: number; horizon: Horizon },
): Reading {
  const limit = toPageLimit(query.limit, maxPage)
  const maxBytes = Math.min(Math.max(1, Math.trunc(query.maxBytes ?? maxPageBytes)), maxPageBytes)
  const after = query.after === undefined ? startPosition : parseCursor(query.after)
  const types = query.types && query.types.length > 0 ? `{${query.types.join(',')}}` : null
  const feed = (at: EventPosition, { rows, bytes }: Most): Value[] => [
    toStoredText(tenant),
    at.era,
    at.xid,
    at.stream,
    at.seq,
    rows,
    types,
    bytes,
  ]
  const session = toStoredTextOrNull(query.sessionId)
  return {
    query,
    limit,
    maxBytes,
    after,
    async run(engine, at, most) {
      if (query.callId !== undefined) {
        const stream = parseCallId(query.callId)
        if (stream === undefined) return []
        const seq = at.stream === stream ? at.seq : 0
        return engine.run(readByCall, [...feed(at, most), stream, seq, session])
      }
      const below = [era, await horizon()]
      if (session !== null) return engine.run(readBySession, [...feed(at, most), ...below, session])
      return engine.run(readByTenant, [...feed(at, most), ...below])
    },
  }
}

/** Reads window after window until the page is full, nothing is left, or enough was looked at. */
async function readPage(engine: Engine, reading: Reading): Promise<EventPage> {
  const { query, limit, maxBytes } = reading
  const sizes = query.types?.length ? windows : [limit + 1]
  const items: CribEvent[] = []
  let after = reading.after
  let bytes = maxBytes
  for (const size of sizes) {
    const rows = await reading.run(engine, after, { rows: size, bytes })
    for (const row of rows) {
      const events = pickEvents(row, after, query)
      const room = limit - items.length
      if (events.length > 0 && room === 0) return toPage(items, after, true)
      items.push(...events.slice(0, room))
      after = events.length > room ? positionOf(items) : chunkEnd(row)
      if (events.length > room) return toPage(items, after, true)
    }
    const { given, found } = countChunks(rows)
    // Fewer than it found were given where they are too heavy together.
    if (given < found) return toPage(items, after, true)
    if (found < size) return toPage(items, after, false)
    bytes -= weigh(rows)
    if (bytes <= 0) break
  }
  return toPage(items, after, true)
}

/** The number of the last chunk that a reading handed back, and how many it found. */
function countChunks(rows: readonly TextRow[]): { given: number; found: number } {
  const [found, given] = rows.at(-1)?.slice(-2) ?? []
  return { given: Number(given ?? 0), found: Number(found ?? 0) }
}

function weigh(rows: readonly TextRow[]): number {
  return rows.reduce((sum, row) => sum + weighChunk(row), 0)
}

/** A cursor may point into the middle of a chunk: what is before it was read. */
function pickEvents(row: TextRow, after: EventPosition, query: EventQuery): CribEvent[] {
  const end = chunkEnd(row)
  const isSame = end.stream === after.stream && end.xid === after.xid && end.era === after.era
  const firstSeq = isSame ? after.seq + 1 : 1
  return expandChunk(row).filter(
    (event) => event.seq >= firstSeq && (!query.types?.length || query.types.includes(event.type)),
  )
}

function positionOf(items: readonly CribEvent[]): EventPosition {
  return parseCursor(items.at(-1)?.id ?? encodeCursor(startPosition))
}

function toPage(items: CribEvent[], after: EventPosition, hasMore: boolean): EventPage {
  return { items, next: encodeCursor(after), hasMore }
}

import { fitsAudit, toolOfEvent } from '../../../core/audit/audit-filter.ts'
import type { AuditEntry } from '../../../core/audit/audit-filter.ts'
import type { AuditPage, AuditQuery } from '../../../core/audit/audit-log.ts'
import type { Engine, TextRow } from '../../../store/engine/engine.ts'
import {
  chunkEnd,
  chunkStart,
  expandReadable,
  weighChunk,
} from '../../../store/log/events/event-chunks.ts'
import { encodeCursor, parseCursor, startPosition } from '../../../store/log/events/event-cursor.ts'
import type { EventPosition } from '../../../store/log/events/event-cursor.ts'
import type { Horizon } from '../../../store/log/events/event-horizon.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { scanEvents, scannedToolIndex } from './audit-scan.ts'
import type { Scan, Scanned } from './audit-scan.ts'
import { findTimeBounds } from './time-bounds.ts'
import { toPageLimit } from '../../../store/engine/page.ts'

const maxPage = 1000
const maxPageBytes = 1_048_576
/** With a filter, a page scans at most this many rows and then reports where it stopped. */
const windows = [500, 2_500, 7_000]

/** After everything. */
const endPosition: EventPosition = {
  era: 0x7fff_ffff,
  xid: '18446744073709551615',
  stream: 'f'.repeat(32),
  seq: 0x7fff_ffff,
}

/** A page of a tenant's events, from either end, looking through a bounded part of them. */
export async function listAudit(
  { engine, era, horizon }: { engine: Engine; era: number; horizon: Horizon },
  tenant: string,
  query: AuditQuery,
): Promise<AuditPage> {
  const limit = toPageLimit(query.limit, maxPage)
  const scan = await toScan(engine, toStoredText(tenant), query)
  const items: AuditEntry[] = []
  let bytes = Math.min(query.maxBytes ?? maxPageBytes, maxPageBytes)
  for (const rows of hasFilter(query) ? windows : [limit + 1]) {
    const place = { ...scan, era, horizon: await horizon() }
    const scanned = await scanEvents(engine, place, { rows, bytes })
    const isFull = takeEntries(items, { scanned, scan, query: { ...query, limit } })
    if (isFull) return { items, next: items.at(-1)?.id }
    if (scanned.isAtEnd) return { items }
    bytes -= scanned.rows.reduce((sum, row) => sum + weighChunk(row), 0)
    if (bytes <= 0) break
  }
  return { items, next: encodeCursor(scan.order === 'newest' ? scan.below : scan.above) }
}

/** Moves the scan on over what fits into the page. True when the page is full and more may come. */
function takeEntries(
  items: AuditEntry[],
  { scanned, scan, query }: { scanned: Scanned; scan: Place; query: AuditQuery },
): boolean {
  for (const row of scanned.rows) {
    const room = query.limit - items.length
    const entries = toEntries(row, scan, query)
    items.push(...entries.slice(0, room))
    if (entries.length > room) return true
    moveOn(scan, row)
    const isLast = scanned.isAtEnd && row === scanned.rows.at(-1)
    if (entries.length === room && !isLast) return true
  }
  return false
}

type Place = Omit<Scan, 'era' | 'horizon'>

async function toScan(engine: Engine, tenant: string, query: AuditQuery): Promise<Place> {
  const { order, after, until, limit: _limit, maxBytes: _bytes, ...filter } = query
  const bounds = await findTimeBounds(engine, tenant, filter)
  const scan: Place = { tenant, filter, order, above: startPosition, below: endPosition, ...bounds }
  if (until !== undefined) scan.below = lesser(scan.below, justAfter(parseCursor(until)))
  if (after === undefined) return scan
  if (order === 'newest') return { ...scan, below: lesser(scan.below, parseCursor(after)) }
  return { ...scan, above: greater(scan.above, parseCursor(after)) }
}

/** All of this row has been looked at. */
function moveOn(scan: Place, row: TextRow): void {
  if (scan.order === 'newest') scan.below = lesser(scan.below, chunkStart(row))
  else scan.above = greater(scan.above, chunkEnd(row))
}

function toEntries(row: TextRow, { above, below, order }: Place, query: AuditQuery): AuditEntry[] {
  const callTool = row[scannedToolIndex] ?? undefined
  // The principal was checked above, where the call could be read too.
  const { principal: _principal, ...filter } = query
  const entries = expandReadable(row).flatMap((event): AuditEntry[] => {
    const position = { ...chunkEnd(row), seq: event.seq }
    if (compare(position, above) <= 0 || compare(position, below) >= 0) return []
    const tool = callTool ?? toolOfEvent(event)
    const entry: AuditEntry = tool === undefined ? event : { ...event, tool }
    return fitsAudit(entry, filter) ? [entry] : []
  })
  return order === 'newest' ? entries.toReversed() : entries
}

function hasFilter({
  order: _order,
  after: _after,
  until: _until,
  limit: _limit,
  maxBytes: _bytes,
  ...filter
}: AuditQuery) {
  return Object.values(filter).some((value) => value !== undefined)
}

function justAfter(position: EventPosition): EventPosition {
  return { ...position, seq: Math.min(position.seq + 1, 0x7fff_ffff) }
}

function lesser(left: EventPosition, right: EventPosition): EventPosition {
  return compare(left, right) < 0 ? left : right
}

function greater(left: EventPosition, right: EventPosition): EventPosition {
  return compare(left, right) > 0 ? left : right
}

function compare(left: EventPosition, right: EventPosition): number {
  const l = [left.era, BigInt(left.xid), left.stream, left.seq]
  const r = [right.era, BigInt(right.xid), right.stream, right.seq]
  const index = l.findIndex((part, at) => part !== r[at])
  if (index === -1) return 0
  return (l[index] ?? 0) < (r[index] ?? 0) ? -1 : 1
}

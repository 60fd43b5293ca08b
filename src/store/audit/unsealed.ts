import { foldUsage, sumUsage } from '../../core/usage/fold-usage.ts'
import type { UsageAddition, UsageEvent, UsedCall } from '../../core/usage/fold-usage.ts'
import type { EventPosition } from '../log/events/event-cursor.ts'
import { parsePrincipal } from '../log/principal-text.ts'
import type { WrittenRow } from '../log/writing/written-row.ts'
import { digestItems, markOf } from './chain.ts'

/** Rows of a feed one after the other, as a segment is made of them. */
export interface Stretch {
  /** In the order of the feed. */
  marks: Uint8Array
  rows: number
  events: number
  latestMs: number
  additions: readonly UsageAddition[]
  /** Where it ends. */
  position: EventPosition
  /** It ends because it is long enough, not because the feed does. */
  isFull: boolean
}

/**
 * Rows that this process has written and that are not sealed yet: marks and usage, never the events
 * themselves.
 */
export interface Unsealed {
  add(rows: readonly WrittenRow[]): void
  /**
   * The rows after this place in transactions below the horizon; rows of other nodes may lie in
   * between.
   */
  next(tenant: string, after: EventPosition, horizon: string | null): Stretch | undefined
  /** Sealed up to and with this place. */
  forget(tenant: string, upTo: EventPosition): void
}

/** Rows of a tenant with one transaction number. */
interface Batch {
  xid: bigint
  rows: { stream: string; seq: number; mark: string }[]
  events: number
  latestMs: number
  additions: UsageAddition[]
}

/** A row takes about 200 bytes. Where nobody seals, all is dropped and read back one day. */
const maxHeldRows = 50_000
/** Long segments cost less each row; but checking one holds all its marks. */
const maxStretchRows = 2_000

/**
 * Reading rows back to seal them costs more than writing them did, so the writer leaves here what
 * sealing needs. It is worked out at once: what waits is small, and holds on to no event.
 */
export function createUnsealed(era: number): Unsealed {
  const tenants = new Map<string, Map<string, Batch>>()
  let held = 0

  function drop(batches: Map<string, Batch>, xid: string): void {
    held -= batches.get(xid)?.rows.length ?? 0
    batches.delete(xid)
  }
  return {
    add(rows) {
      if (held > maxHeldRows) {
        tenants.clear()
        held = 0
      }
      held += rows.length
      for (const some of groupRows(rows)) {
        const { tenant, xid } = some[0]
        const batches = getOrAdd(tenants, tenant, () => new Map<string, Batch>())
        const batch = getOrAdd(batches, xid, () => emptyBatch(xid))
        addRows(batch, some, era)
      }
    },
    next(tenant, after, horizon) {
      if (after.era > era) return undefined
      const from = after.era < era ? -1n : BigInt(after.xid)
      const below = horizon === null ? undefined : BigInt(horizon)
      const batches = [...(tenants.get(tenant)?.values() ?? [])]
        .filter(({ xid }) => xid > from && (below === undefined || xid < below))
        .toSorted((left, right) => (left.xid < right.xid ? -1 : 1))
      return batches.length === 0 ? undefined : toStretch(batches, era)
    },
    forget(tenant, upTo) {
      const batches = tenants.get(tenant)
      if (batches === undefined || upTo.era !== era) return
      // One that was sealed in part can't be used any more: the rest of it is read back.
      const last = BigInt(upTo.xid)
      for (const [xid, batch] of batches) if (batch.xid <= last) drop(batches, xid)
      if (batches.size === 0) tenants.delete(tenant)
    },
  }
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

type Rows = [WrittenRow, ...WrittenRow[]]

/** By tenant and transaction, which nearly always is one. */
function groupRows(rows: readonly WrittenRow[]): Rows[] {
  const groups = new Map<string, Rows>()
  for (const row of rows) {
    const key = `${row.xid} ${row.tenant}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return [...groups.values()]
}

function emptyBatch(xid: string): Batch {
  return { xid: BigInt(xid), rows: [], events: 0, latestMs: 0, additions: [] }
}

function addRows(batch: Batch, rows: readonly WrittenRow[], era: number): void {
  const events: UsageEvent[] = []
  const calls = new Map<string, UsedCall>()
  for (const row of rows) {
    const { stream, lastSeq, firstSeq, latestMs, call } = row
    batch.rows.push({ stream, seq: lastSeq, mark: toMark(row, era) })
    batch.events += lastSeq - firstSeq + 1
    batch.latestMs = Math.max(batch.latestMs, latestMs)
    if (call !== undefined) calls.set(stream, call)
    if (row.isCall && row.usage.length > 0) addUsageEvents(events, row)
  }
  batch.additions.push(...foldUsage(events, calls))
}

/** The columns as they are selected for reading. */
function toMark(row: WrittenRow, era: number): string {
  const columns = [
    row.tenant,
    String(era),
    row.xid,
    toUuidText(row.stream),
    String(row.firstSeq),
    String(row.lastSeq),
    String(row.isCall),
    row.sessionId,
    row.agent,
    row.principal,
    row.types,
  ]
  return markOf(columns, digestItems(row.items))
}

/** As PostgreSQL prints it. */
function toUuidText(hex: string): string {
  const middle = `${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}`
  return `${hex.slice(0, 8)}-${middle}-${hex.slice(20)}`
}

/** Identifies a call when usage is added up; the id of its stream serves. */
function addUsageEvents(events: UsageEvent[], row: WrittenRow): void {
  const principal = parsePrincipal(row.principal)
  const agent = row.agent ?? undefined
  for (const { type, at, data } of row.usage) {
    events.push({ callId: row.stream, principal, agent, type, at, data })
  }
}

/** Whole transactions, until they are enough. */
function toStretch(batches: readonly Batch[], era: number): Stretch {
  const rows: Batch['rows'] = []
  const additions: UsageAddition[] = []
  let [events, latestMs, taken, xid] = [0, 0, 0, 0n]
  for (const batch of batches) {
    if (rows.length >= maxStretchRows) break
    rows.push(...batch.rows.sort(byPlace))
    additions.push(...batch.additions)
    events += batch.events
    latestMs = Math.max(latestMs, batch.latestMs)
    xid = batch.xid
    taken += 1
  }
  const { stream = '', seq = 0 } = rows.at(-1) ?? {}
  return {
    marks: Buffer.from(rows.map(({ mark }) => mark).join(''), 'hex'),
    rows: rows.length,
    events,
    latestMs,
    additions: sumUsage(additions),
    position: { era, xid: String(xid), stream, seq },
    isFull: taken < batches.length,
  }
}

function byPlace(left: Batch['rows'][number], right: Batch['rows'][number]): number {
  if (left.stream !== right.stream) return left.stream < right.stream ? -1 : 1
  return left.seq - right.seq
}

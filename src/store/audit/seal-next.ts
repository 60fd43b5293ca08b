import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { foldUsage, toMs } from '../../core/usage/fold-usage.ts'
import type { UsageAddition } from '../../core/usage/fold-usage.ts'
import type { Engine, TextRow } from '../engine/engine.ts'
import { chunkEnd, expandPlain, itemsOf } from '../log/events/event-chunks.ts'
import { encodeCursorBytes } from '../log/events/event-cursor.ts'
import type { EventPosition } from '../log/events/event-cursor.ts'
import type { Horizon } from '../log/events/event-horizon.ts'
import { countBetween, readByTenant } from '../log/events/event-statements.ts'
import type { Tables } from '../tables.ts'
import { addUsage } from './add-usage.ts'
import { findUsedCalls } from '../log/find-used-calls.ts'
import { digestItems, digestMarks, markOf } from './chain.ts'
import type { Chain, SegmentFacts } from './chain.ts'
import { readEnd } from './chain-end.ts'
import type { ChainEnd } from './chain-end.ts'
import type { Stretch, Unsealed } from './unsealed.ts'

/** Dependencies of sealing. `era` is the current one of the event log. */
export interface Sealing {
  engine: Engine
  era: number
  horizon: Horizon
  chain: Chain
  unsealed: Unsealed
}

const maxRows = 500
const maxBytes = 2 * 1024 * 1024

/**
 * Seals the next stretch of a tenant's feed and adds up its usage, both or neither. The reading is
 * done before the transaction, which then only writes: what is below the horizon stays as it is, and
 * of two who read the same the second finds that the chain has moved on, and writes nothing.
 */
export async function sealNext(
  sealing: Sealing,
  tenant: string,
): Promise<{ events: number; hasMore: boolean }> {
  const { engine, unsealed } = sealing
  const end = await readEnd(sealing, tenant)
  unsealed.forget(tenant, end.position)
  const stretch = (await recall(sealing, tenant, end)) ?? (await readBack(sealing, tenant, end))
  if (stretch === undefined) return { events: 0, hasMore: false }
  const draft = toDraft({ tenant, now: sealing.engine.now() }, end, stretch)
  const isWritten = await engine.db
    .transaction()
    .execute((transaction) =>
      write(transaction, { sealing, end, draft, additions: stretch.additions }),
    )
    .catch(rethrowUnlessLost)
  engine.noteWrites(0)
  return { events: isWritten ? stretch.events : 0, hasMore: stretch.isFull }
}

/**
 * Rows that this process wrote there. An equal number of rows in the feed means there are no others
 * in between. Their content need not be read again, because the marks cover it: rows that were
 * changed since do not match them.
 */
async function recall(
  { engine, horizon, unsealed }: Sealing,
  tenant: string,
  { position: from }: ChainEnd,
): Promise<Stretch | undefined> {
  const stretch = unsealed.next(tenant, from, await horizon())
  if (stretch === undefined) return undefined
  const { position: to } = stretch
  const after = [tenant, from.era, from.xid, from.stream, from.seq]
  const upTo = [to.era, to.xid, to.stream, to.seq]
  const [row] = await engine.run(countBetween, [...after, ...upTo])
  return Number(row?.[0]) === stretch.rows ? stretch : undefined
}

/** Rows that others wrote, or that were not noted or were forgotten. */
async function readBack(
  { engine, era, horizon }: Sealing,
  tenant: string,
  { position: at }: ChainEnd,
): Promise<Stretch | undefined> {
  const below = [era, await horizon()]
  const from = [tenant, at.era, at.xid, at.stream, at.seq]
  const rows = await engine.run(readByTenant, [...from, maxRows, null, maxBytes, ...below])
  const last = rows.at(-1)
  if (last === undefined) return undefined
  const events = rows.flatMap(expandPlain)
  return {
    marks: Buffer.from(rows.map((row) => markOf(row, digestItems(itemsOf(row)))).join(''), 'hex'),
    rows: rows.length,
    events: events.length,
    latestMs: events.reduce((ms, { at: atMs }) => Math.max(ms, toMs(atMs)), 0),
    additions: foldUsage(events, await findUsedCalls(engine, tenant, events)),
    position: chunkEnd(last),
    isFull: isFull(rows),
  }
}

/** Stopped by the number of rows or by their weight, not by the end of the feed. */
function isFull(rows: readonly TextRow[]): boolean {
  const [found, given] = rows.at(-1)?.slice(-2) ?? []
  return rows.length >= maxRows || Number(given ?? 0) < Number(found ?? 0)
}

interface Draft extends Omit<SegmentFacts, 'sealedMs'> {
  marks: Uint8Array
  position: EventPosition
}

function toDraft(
  { tenant, now }: { tenant: string; now: number },
  end: ChainEnd,
  stretch: Stretch,
): Draft {
  const { marks, position, rows, events } = stretch
  return {
    tenant,
    number: end.number + 1,
    from: encodeCursorBytes(end.position),
    to: encodeCursorBytes(position),
    rows,
    events,
    untilMs: toUntil(stretch.latestMs, { beforeMs: end.untilMs, now }),
    isBreak: end.isBreak,
    marksDigest: digestMarks(marks),
    previous: end.digest,
    marks,
    position,
  }
}

/** How far the clock of a node may be ahead of the database's. */
const maxAheadMs = 300_000

/**
 * The latest time up to here. A node whose clock is a day ahead must not move it so far: times are
 * looked up by it, and all that happens within that day would lie behind.
 */
function toUntil(latestMs: number, { beforeMs, now }: { beforeMs: number; now: number }): number {
  return Math.max(beforeMs, Math.min(latestMs, now + maxAheadMs))
}

/** Rolls back without being an error: somebody else has sealed this stretch. */
class Lost extends Error {}

function rethrowUnlessLost(error: unknown): boolean {
  if (error instanceof Lost) return false
  throw error
}

async function write(
  transaction: Transaction<Tables>,
  {
    sealing,
    end,
    draft,
    additions,
  }: { sealing: Sealing; end: ChainEnd; draft: Draft; additions: readonly UsageAddition[] },
): Promise<boolean> {
  const sealedMs = sealing.engine.now()
  const digest = sealing.chain.digestOf({ ...draft, sealedMs })
  const { tenant, number, untilMs, position } = draft
  const head = {
    number,
    digest,
    era: position.era,
    xid: position.xid,
    stream: position.stream,
    last_seq: position.seq,
    until_ms: untilMs,
    proof: sealing.chain.proveHead({ tenant, number, digest, to: draft.to, untilMs }),
  }
  if (!(await moveHead(transaction, { tenant, end, head }))) throw new Lost()
  await transaction
    .insertInto('audit_segments')
    .values({
      tenant,
      number,
      from_cursor: draft.from,
      to_cursor: draft.to,
      rows: draft.rows,
      events: draft.events,
      // As bytes, the embedded engine's driver would go through them one by one.
      marks: sql`decode(${Buffer.from(draft.marks).toString('hex')}, 'hex')`,
      marks_digest: draft.marksDigest,
      previous: draft.previous,
      digest,
      is_break: draft.isBreak,
      sealed_ms: sealedMs,
      until_ms: untilMs,
      removed_rows: 0,
    })
    .execute()
  await addUsage(transaction, tenant, additions)
  return true
}

/** Comes first, so that a second sealer waits here and then finds a head it does not expect. */
async function moveHead(
  transaction: Transaction<Tables>,
  {
    tenant,
    end,
    head,
  }: { tenant: string; end: ChainEnd; head: Omit<Tables['audit_heads'], 'tenant'> },
): Promise<boolean> {
  if (end.head === undefined) {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('audit_heads')
      .values({ tenant, ...head })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await transaction
    .updateTable('audit_heads')
    .set(head)
    .where('tenant', '=', tenant)
    .where('proof', '=', end.head.proof)
    .where('number', '=', end.head.number)
    .where(sql<boolean>`digest = ${end.head.digest}`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { TextRow } from '../engine/engine.ts'
import { chunkEnd } from '../log/events/event-chunks.ts'
import { encodeCursorBytes } from '../log/events/event-cursor.ts'
import type { Tables } from '../tables.ts'
import { markBytes, markOf } from './chain.ts'
import type { Chain } from './chain.ts'
import type { Segment } from './chain-end.ts'
import { countBits, withBits } from './removed-rows.ts'

/** A row that was removed, its columns in the order of `chunkSelection`. */
export type RemovedRow = Record<string, string | null> & { items_digest: string }

/**
 * Records in the chain that retention removed these rows, in the same transaction. Marks stay until
 * all rows of a segment have been removed, so that the rest can still be checked. A row that
 * differs from what was sealed has no mark to record: its original mark stays and shows that the
 * row is missing.
 */
export async function noteRemoved(
  db: Transaction<Tables>,
  { tenant, chain }: { tenant: string; chain: Chain },
  removed: readonly RemovedRow[],
): Promise<void> {
  if (removed.length === 0) return
  const rows = removed.map(toMarkedRow)
  const marks = new Set(rows.map(({ mark }) => mark))
  const segments = await lockSegments(
    db,
    tenant,
    rows.map(({ cursor }) => cursor),
  )
  const notes = segments.flatMap((segment) => toNote(segment, marks, chain) ?? [])
  if (notes.length > 0) await writeNotes(db, tenant, notes)
}

function toMarkedRow(row: RemovedRow): { mark: string; cursor: string } {
  const { items_digest: itemsDigest, ...columns } = row
  const fields: TextRow = Object.values(columns)
  return {
    mark: markOf(fields, itemsDigest),
    cursor: encodeCursorBytes(chunkEnd(fields)).toString('hex'),
  }
}

async function lockSegments(
  db: Transaction<Tables>,
  tenant: string,
  cursors: readonly string[],
): Promise<Segment[]> {
  const { rows } = await sql<Segment>`select * from audit_segments
    where tenant = ${tenant} and number in (
      select s.number from unnest(${[...cursors]}::text[]) c (cursor) cross join lateral (
        select number from audit_segments where tenant = ${tenant}
          and to_cursor >= decode(c.cursor, 'hex') order by to_cursor limit 1) s)
    order by number for update`.execute(db)
  return rows
}

interface Note {
  number: number
  /** Hex; null where nothing is left. */
  removed: string | null
  proof: string
  count: number
}

function toNote(segment: Segment, marks: ReadonlySet<string>, chain: Chain): Note | undefined {
  if (segment.marks === null) return undefined
  const text = Buffer.from(segment.marks).toString('hex')
  const indexes: number[] = []
  for (let index = 0; index < segment.rows; index += 1) {
    const start = index * markBytes * 2
    if (marks.has(text.slice(start, start + markBytes * 2))) indexes.push(index)
  }
  if (indexes.length === 0) return undefined
  const bits = withBits(segment.removed, segment.rows, indexes)
  const count = countBits(bits)
  const removed = count === segment.rows ? null : bits
  return {
    number: segment.number,
    removed: removed && Buffer.from(removed).toString('hex'),
    proof: Buffer.from(chain.proveRemoval(segment, removed)).toString('hex'),
    count,
  }
}

async function writeNotes(
  db: Transaction<Tables>,
  tenant: string,
  notes: readonly Note[],
): Promise<void> {
  await sql`update audit_segments s set removed = decode(n.removed, 'hex'),
      removed_proof = decode(n.proof, 'hex'), removed_rows = n.count,
      marks = case when n.removed is null then null else s.marks end
    from unnest(${notes.map(({ number }) => number)}::int[], ${notes.map(({ removed }) => removed)}::text[],
      ${notes.map(({ proof }) => proof)}::text[], ${notes.map(({ count }) => count)}::int[])
      n (number, removed, proof, count)
    where s.tenant = ${tenant} and s.number = n.number`.execute(db)
}

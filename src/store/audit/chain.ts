import { createHash, createHmac, hash, hkdfSync } from 'node:crypto'
import type { TextRow } from '../engine/engine.ts'

export const markBytes = 32

/** The predecessor of the first segment. */
export const noDigest: Uint8Array = Buffer.alloc(markBytes)

/** Everything about a segment that its digest covers. */
export interface SegmentFacts {
  tenant: string
  number: number
  from: Uint8Array
  to: Uint8Array
  rows: number
  events: number
  sealedMs: number
  untilMs: number
  isBreak: boolean
  marksDigest: Uint8Array
  previous: Uint8Array
}

/** Where a chain ends. */
export interface HeadFacts {
  tenant: string
  number: number
  digest: Uint8Array
  to: Uint8Array
  untilMs: number
}

/** Digests under a key that never leaves the process: who has only the database can't make them. */
export interface Chain {
  digestOf(segment: SegmentFacts): Uint8Array
  proveHead(head: HeadFacts): Uint8Array
  /** That it was us who took rows away: one bit for each, or null for all of them. */
  proveRemoval(
    segment: { tenant: string; number: number; digest: Uint8Array },
    removed: Uint8Array | null,
  ): Uint8Array
}

/** The key comes from the store's sealed pepper, so it survives a change of the master key. */
export function createChain(pepper: Uint8Array): Chain {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', 'toolcrib audit chain', 32))
  const digest = (
    kind: string,
    fields: readonly (string | number | boolean | Uint8Array | null)[],
  ) =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, 1, ...fields.map(toField)]))
      .digest()
  return {
    digestOf: (segment) =>
      digest('segment', [
        segment.tenant,
        segment.number,
        segment.from,
        segment.to,
        segment.rows,
        segment.events,
        segment.sealedMs,
        segment.untilMs,
        segment.isBreak,
        segment.marksDigest,
        segment.previous,
      ]),
    proveHead: ({ tenant, number, digest: last, to, untilMs }) =>
      digest('head', [tenant, number, last, to, untilMs]),
    proveRemoval: (segment, removed) =>
      digest('removal', [segment.tenant, segment.number, segment.digest, removed]),
  }
}

function toField(
  value: string | number | boolean | Uint8Array | null,
): string | number | boolean | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

/**
 * The digest of one row of events: every column, its place in the feed included, so that a row that
 * was moved is another one. `items` goes in as its own digest, which the database can make too where
 * the text need not travel. As hex.
 */
export function markOf(row: TextRow, itemsDigest: string): string {
  return hash('sha256', JSON.stringify([...row.slice(0, markedColumns), itemsDigest]), 'hex')
}

const markedColumns = 11

/** Of the items of a row, as hex. */
export function digestItems(items: string): string {
  return hash('sha256', items, 'hex')
}

/** Of all marks of a segment, in the order of the feed. */
export function digestMarks(marks: Uint8Array): Uint8Array {
  return createHash('sha256').update(marks).digest()
}

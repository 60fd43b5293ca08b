import { timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { decodeCursorBytes, encodeCursorBytes, startPosition } from '../log/events/event-cursor.ts'
import type { EventPosition } from '../log/events/event-cursor.ts'
import type { AuditHeadsTable, AuditSegmentsTable } from '../tables/audit-tables.ts'
import { noDigest } from './chain.ts'
import type { Chain } from './chain.ts'

/** A sealed stretch, as it is stored. */
export type Segment = Selectable<AuditSegmentsTable>

/** Where the next segment goes. */
export interface ChainEnd {
  number: number
  digest: Uint8Array
  position: EventPosition
  untilMs: number
  /**
   * The head was changed from outside. Everything sealed from here on carries a permanent mark of
   * that.
   */
  isBreak: boolean
  head: Selectable<AuditHeadsTable> | undefined
}

/**
 * The end of a tenant's chain. A head that cannot be verified is ignored: the chain continues from
 * the last segment present, with a mark that cannot be removed without the key.
 */
export async function readEnd(
  { engine, chain }: { engine: Engine; chain: Chain },
  tenant: string,
): Promise<ChainEnd> {
  const head = await readHead(engine, tenant)
  if (head !== undefined && isProven(chain, head)) {
    const { number, digest, until_ms: untilMs } = head
    return { number, digest, position: positionOf(head), untilMs, isBreak: false, head }
  }
  const last = await readLast(engine, tenant)
  const isBreak = head !== undefined || last !== undefined
  if (last === undefined) return { ...beginning, number: head?.number ?? 0, isBreak, head }
  return {
    number: Math.max(head?.number ?? 0, last.number),
    digest: last.digest,
    position: decodeCursorBytes(last.to_cursor),
    untilMs: last.until_ms,
    isBreak,
    head,
  }
}

const beginning = { digest: noDigest, position: startPosition, untilMs: 0 }

export async function readHead(
  engine: Engine,
  tenant: string,
): Promise<Selectable<AuditHeadsTable> | undefined> {
  return engine.db
    .selectFrom('audit_heads')
    .selectAll()
    .where('tenant', '=', tenant)
    .executeTakeFirst()
}

/** It was us who wrote this head. */
export function isProven(chain: Chain, head: Selectable<AuditHeadsTable>): boolean {
  const { tenant, number, digest, until_ms: untilMs } = head
  const to = encodeCursorBytes(positionOf(head))
  return isSame(head.proof, chain.proveHead({ tenant, number, digest, to, untilMs }))
}

/** Compares digests in constant time. */
export function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}

export function positionOf(head: Selectable<AuditHeadsTable>): EventPosition {
  return {
    era: head.era,
    xid: head.xid,
    stream: head.stream.replaceAll('-', ''),
    seq: head.last_seq,
  }
}

async function readLast(engine: Engine, tenant: string) {
  return engine.db
    .selectFrom('audit_segments')
    .select(['number', 'digest', 'to_cursor', 'until_ms'])
    .where('tenant', '=', tenant)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

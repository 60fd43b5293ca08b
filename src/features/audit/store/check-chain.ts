import { sql } from 'kysely'
import { maxUnsealed } from '../../../core/audit/audit-check.ts'
import type { AuditAnchor, AuditCheck, AuditProblem } from '../../../core/audit/audit-check.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { encodeCursorBytes, startPosition } from '../../../store/log/events/event-cursor.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { noDigest } from '../../../store/audit/chain.ts'
import type { Chain } from '../../../store/audit/chain.ts'
import { isProven, isSame, readHead, type Segment } from '../../../store/audit/chain-end.ts'
import { checkSegment, toProblem } from './check-segment.ts'
import type { ChainPlace } from './check-segment.ts'

interface Checking {
  engine: Engine
  chain: Chain
}

const segmentsAtOnce = 100
const rowsAtOnce = 5_000
const maxProblems = 200

/** Checks a stretch of a tenant's chain, from after that segment on; without a `next`, up to its end. */
export async function checkChain(
  checking: Checking,
  given: string,
  { after, anchors = [] }: { after: number; anchors?: readonly AuditAnchor[] },
): Promise<AuditCheck> {
  const tenant = toStoredText(given)
  const segments = await readSegments(checking.engine, tenant, after)
  const start = await findLink(checking.engine, tenant, after)
  const { checked, problems } = await checkAll(checking, { segments, start, anchors })
  if (start === undefined) problems.unshift(toProblem('segments_missing', { number: after }))
  const check = toCheck(checked, problems)
  const last = checked.length === 0 ? start : linkOf(checked.at(-1))
  const isEnd = checked.length === segments.length && segments.length < segmentsAtOnce
  const ending = isEnd ? await checkEnd(checking, tenant, { last, anchors }) : undefined
  // Sealing continues during the check; newer events belong to the next stretch.
  if (ending === undefined) return { ...check, next: last?.number ?? after }
  const unsealed = await countUnsealed(checking.engine, tenant)
  return { ...check, problems: [...problems, ...ending], unsealed }
}

/** One segment after the other, as far as a stretch goes. */
async function checkAll(
  checking: Checking,
  stretch: {
    segments: readonly Segment[]
    start: ChainPlace | undefined
    anchors: readonly AuditAnchor[]
  },
): Promise<{ checked: Segment[]; problems: AuditProblem[] }> {
  const checked: Segment[] = []
  const problems: AuditProblem[] = []
  let rows = 0
  for (const segment of stretch.segments) {
    const before = checked.length === 0 ? stretch.start : linkOf(checked.at(-1))
    problems.push(...(await checkTwice(checking, segment, before)))
    problems.push(...compareAnchors(segment, stretch.anchors))
    checked.push(segment)
    rows += segment.rows
    if (rows >= rowsAtOnce || problems.length >= maxProblems) break
  }
  return { checked, problems }
}

function linkOf(segment: Segment | undefined): ChainPlace | undefined {
  return segment && { number: segment.number, digest: segment.digest, to: segment.to_cursor }
}

/** Retention may take rows away between the look at a segment and the look at its rows. */
async function checkTwice(
  checking: Checking,
  segment: Segment,
  before: ChainPlace | undefined,
): Promise<AuditProblem[]> {
  const problems = await checkSegment(checking, segment, before)
  if (problems.length === 0) return problems
  const { tenant, number, removed_rows: removed } = segment
  const [again] = await readSegments(checking.engine, tenant, number - 1)
  const hasChanged = again?.number === number && again.removed_rows !== removed
  return hasChanged ? checkSegment(checking, again, before) : problems
}

function toCheck(checked: readonly Segment[], problems: readonly AuditProblem[]): AuditCheck {
  const [first] = checked
  const last = checked.at(-1)
  const removed = checked.filter((segment) => segment.removed_rows > 0)
  const lastRemoved = removed.at(-1)
  return {
    segments: checked.length,
    events: checked.reduce((sum, segment) => sum + segment.events, 0),
    ...(first && { from: { segment: first.number, at: toIso(first.sealed_ms) } }),
    ...(last && {
      to: { segment: last.number, digest: toHex(last.digest), at: toIso(last.sealed_ms) },
    }),
    problems,
    ...(lastRemoved && {
      removed: {
        records: removed.reduce((sum, segment) => sum + segment.removed_rows, 0),
        until: toIso(lastRemoved.until_ms),
      },
    }),
  }
}

async function readSegments(engine: Engine, tenant: string, after: number): Promise<Segment[]> {
  return engine.db
    .selectFrom('audit_segments')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('number', '>', after)
    .orderBy('number')
    .limit(segmentsAtOnce)
    .execute()
}

async function findLink(
  engine: Engine,
  tenant: string,
  after: number,
): Promise<ChainPlace | undefined> {
  if (after === 0) return { number: 0, digest: noDigest, to: encodeCursorBytes(startPosition) }
  const row = await engine.db
    .selectFrom('audit_segments')
    .select(['digest', 'to_cursor'])
    .where('tenant', '=', tenant)
    .where('number', '=', after)
    .executeTakeFirst()
  return row && { number: after, digest: row.digest, to: row.to_cursor }
}

function compareAnchors(segment: Segment, anchors: readonly AuditAnchor[]): AuditProblem[] {
  const digest = toHex(segment.digest)
  return anchors
    .filter((anchor) => anchor.number === segment.number && anchor.digest !== digest)
    .map(() => toProblem('anchor_differs', segment))
}

/**
 * Checks that the chain ends where we left it and reaches at least as far as a checkpoint kept
 * elsewhere.
 */
async function checkEnd(
  { engine, chain }: Checking,
  tenant: string,
  { last, anchors }: { last: ChainPlace | undefined; anchors: readonly AuditAnchor[] },
): Promise<AuditProblem[] | undefined> {
  const head = await readHead(engine, tenant)
  const number = last?.number ?? 0
  const beyond = anchors.filter((anchor) => anchor.number > number)
  const missing = beyond.map((anchor) => toProblem('anchor_missing', anchor))
  if (isAsLeft(chain, head, last)) return missing
  const [more] = await readSegments(engine, tenant, number)
  if (more !== undefined) return undefined
  return [toProblem('end_changed', { number: Math.max(number, head?.number ?? 0) }), ...missing]
}

function isAsLeft(
  chain: Chain,
  head: Awaited<ReturnType<typeof readHead>>,
  last: ChainPlace | undefined,
): boolean {
  const number = last?.number ?? 0
  if (head === undefined) return number === 0
  const isLast = head.number === number && isSame(head.digest, last?.digest ?? noDigest)
  return isLast && isProven(chain, head)
}

async function countUnsealed(engine: Engine, tenant: string): Promise<number> {
  const head = await readHead(engine, tenant)
  const from = head ?? { era: 0, xid: '0', stream: '0'.repeat(32), last_seq: 0 }
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from events where tenant = ${tenant} and (era, xid, stream, last_seq)
      > (${from.era}::int, ${from.xid}::xid8, ${from.stream}::uuid, ${from.last_seq}::int)
    limit ${maxUnsealed}) newest`.execute(engine.db)
  return rows[0]?.count ?? 0
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

import { auditProblems } from '../../../core/audit/audit-check.ts'
import type { AuditProblem, AuditProblemKind } from '../../../core/audit/audit-check.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { chunkEnd, chunkStart, itemsOf } from '../../../store/log/events/event-chunks.ts'
import { decodeCursorBytes, encodeCursor } from '../../../store/log/events/event-cursor.ts'
import { readBetween } from '../../../store/log/events/event-statements.ts'
import { digestItems, digestMarks, markBytes, markOf } from '../../../store/audit/chain.ts'
import type { Chain } from '../../../store/audit/chain.ts'
import { isSame, type Segment } from '../../../store/audit/chain-end.ts'
import { compareMarks } from './compare-marks.ts'
import type { FoundRow } from './compare-marks.ts'
import { countBits, hasBit } from '../../../store/audit/removed-rows.ts'

/** Where a segment must begin. */
export interface ChainPlace {
  number: number
  digest: Uint8Array
  to: Uint8Array
}

/** The faults of a segment: in its record, in its link to the previous one, and in its events. */
export async function checkSegment(
  { engine, chain }: { engine: Engine; chain: Chain },
  segment: Segment,
  before: ChainPlace | undefined,
): Promise<AuditProblem[]> {
  const problems = [...checkLink(segment, before), ...checkRecord(segment, chain)]
  if (problems.some(({ kind }) => kind === 'segment_changed')) return problems
  const rows = await readRows(engine, segment)
  const isRemoved = (index: number) => hasBit(segment.removed, index)
  const gaps = compareMarks(segment.marks ?? new Uint8Array(), rows, isRemoved)
  // Where the segment begins is the place of the event before it.
  const start = segment.number === 1 ? undefined : toId(segment.from_cursor)
  for (const { after = start, before: next, missing, found } of gaps) {
    problems.push({
      ...toProblem(kindOf(missing, found), segment),
      ...(after !== undefined && { afterEvent: after }),
      ...(next !== undefined && { beforeEvent: next }),
      ...(found.length > 0 && { found: found.slice(0, maxNamed) }),
      ...(missing > 0 && { missing }),
    })
  }
  return problems
}

const maxNamed = 20

function toId(cursor: Uint8Array): string {
  return encodeCursor(decodeCursorBytes(cursor))
}

export function toProblem(
  kind: AuditProblemKind,
  { number }: Pick<Segment, 'number'>,
): AuditProblem {
  return { kind, segment: number, message: auditProblems[kind] }
}

function kindOf(missing: number, found: readonly string[]): AuditProblemKind {
  if (missing === 0) return 'inserted'
  return found.length === 0 ? 'removed' : 'changed'
}

function checkLink(segment: Segment, before: ChainPlace | undefined): AuditProblem[] {
  const problems: AuditProblem[] = []
  if (before !== undefined) {
    const isNext = segment.number === before.number + 1
    if (!isNext) problems.push(toProblem('segments_missing', { number: before.number + 1 }))
    const follows =
      isSame(segment.previous, before.digest) && isSame(segment.from_cursor, before.to)
    if (isNext && !follows) problems.push(toProblem('link_broken', segment))
  }
  if (segment.is_break) problems.push(toProblem('sealed_after_break', segment))
  return problems
}

/** Its digest, its marks, and that it was us who took rows away. */
function checkRecord(segment: Segment, chain: Chain): AuditProblem[] {
  const digest = chain.digestOf({
    tenant: segment.tenant,
    number: segment.number,
    from: segment.from_cursor,
    to: segment.to_cursor,
    rows: segment.rows,
    events: segment.events,
    sealedMs: segment.sealed_ms,
    untilMs: segment.until_ms,
    isBreak: segment.is_break,
    marksDigest: segment.marks_digest,
    previous: segment.previous,
  })
  const isSound =
    isSame(digest, segment.digest) && hasSoundMarks(segment) && isProven(segment, chain)
  return isSound ? [] : [toProblem('segment_changed', segment)]
}

function hasSoundMarks({
  marks,
  marks_digest: digest,
  rows,
  removed_rows: gone,
}: Segment): boolean {
  if (marks === null) return gone === rows
  return marks.length === rows * markBytes && isSame(digestMarks(marks), digest)
}

function isProven(segment: Segment, chain: Chain): boolean {
  const { removed, removed_proof: proof, removed_rows: gone, marks } = segment
  if (removed === null && marks !== null) return proof === null && gone === 0
  if (proof === null || !isSame(proof, chain.proveRemoval(segment, removed))) return false
  return removed === null || countBits(removed) === gone
}

const rowsAtOnce = 500
const bytesAtOnce = 1_048_576

/** The rows that lie in the segment now, as marks: never more than a page of them is held. */
async function readRows(engine: Engine, segment: Segment): Promise<FoundRow[]> {
  const to = decodeCursorBytes(segment.to_cursor)
  const found: FoundRow[] = []
  let at = decodeCursorBytes(segment.from_cursor)
  for (;;) {
    const from = [segment.tenant, at.era, at.xid, at.stream, at.seq]
    const most = [rowsAtOnce, null, bytesAtOnce]
    const upTo = [to.era, to.xid, to.stream, to.seq]
    const rows = await engine.run(readBetween, [...from, ...most, ...upTo])
    for (const row of rows) {
      at = chunkEnd(row)
      const mark = markOf(row, digestItems(itemsOf(row)))
      found.push({ mark, firstId: encodeCursor(chunkStart(row)), lastId: encodeCursor(at) })
    }
    const [total, given] = rows.at(-1)?.slice(-2) ?? []
    if (rows.length < rowsAtOnce && Number(given ?? 0) >= Number(total ?? 0)) return found
  }
}

import { markBytes } from '../../../store/audit/chain.ts'

/** A row as it is now: its mark in hex, and the ids of its first and last event. */
export interface FoundRow {
  mark: string
  firstId: string
  lastId: string
}

/** A place where rows and marks disagree, between two rows that agree. */
export interface MarkGap {
  /** The last event before it that is in order. */
  after?: string
  /** The first event after it that is in order. */
  before?: string
  /** How many marks have no row. */
  missing: number
  /** First events of rows that have no mark. */
  found: string[]
}

/**
 * Finds rows of a segment that differ from those that were sealed. `isRemoved` tests whether
 * retention removed the row of a mark. A mark covers the place of its row, so no two are alike.
 */
export function compareMarks(
  marks: Uint8Array,
  rows: readonly FoundRow[],
  isRemoved: (index: number) => boolean,
): MarkGap[] {
  const expected = toExpected(marks, isRemoved)
  const placeOf = new Map(expected.map((mark, index) => [mark, index]))
  const gaps: MarkGap[] = []
  let gap: MarkGap = { missing: 0, found: [] }
  let next = 0
  const close = (missing: number, before: string | undefined) => {
    gap.missing = missing
    if (before !== undefined) gap.before = before
    if (missing > 0 || gap.found.length > 0) gaps.push(gap)
  }
  for (const { mark, firstId, lastId } of rows) {
    const place = placeOf.get(mark)
    if (place === undefined || place < next) {
      gap.found.push(firstId)
      continue
    }
    close(place - next, firstId)
    gap = { after: lastId, missing: 0, found: [] }
    next = place + 1
  }
  close(expected.length - next, undefined)
  return gaps
}

function toExpected(marks: Uint8Array, isRemoved: (index: number) => boolean): string[] {
  const text = Buffer.from(marks).toString('hex')
  const expected: string[] = []
  for (let index = 0; index * markBytes < marks.length; index += 1) {
    const start = index * markBytes * 2
    if (!isRemoved(index)) expected.push(text.slice(start, start + markBytes * 2))
  }
  return expected
}

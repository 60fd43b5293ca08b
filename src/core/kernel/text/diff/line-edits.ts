/** A run of lines that both texts have, or that one of them lacks. Line numbers count from 0. */
export interface LineEdit {
  kind: 'same' | 'removed' | 'added'
  /** First line in the old text, or the line where its text would be inserted. */
  oldLine: number
  newLine: number
  count: number
}

/**
 * Beyond this many differing lines the rest counts as replaced: a shortest edit would cost time and
 * memory by the square of it.
 */
const maxDifferences = 1500

/** The shortest way from one list of lines to another (Myers), in order. */
export function lineEdits(before: readonly string[], after: readonly string[]): LineEdit[] {
  const head = commonStart(before, after)
  const tail = commonEnd(before, after, head)
  const [from, to] = toNumbers(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  )
  const edits = createEditList()
  edits.add('same', head)
  for (const [kind, count] of middleEdits(from, to)) edits.add(kind, count)
  edits.add('same', tail)
  return edits.list
}

function createEditList() {
  const list: LineEdit[] = []
  const at = { oldLine: 0, newLine: 0 }
  return {
    list,
    add(kind: LineEdit['kind'], count: number): void {
      if (count === 0) return
      const last = list.at(-1)
      if (last?.kind === kind) last.count += count
      else list.push({ kind, ...at, count })
      if (kind !== 'added') at.oldLine += count
      if (kind !== 'removed') at.newLine += count
    },
  }
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  let count = 0
  while (count < before.length && count < after.length && before[count] === after[count]) count += 1
  return count
}

function commonEnd(before: readonly string[], after: readonly string[], head: number): number {
  const most = Math.min(before.length, after.length) - head
  let count = 0
  while (count < most && before.at(-1 - count) === after.at(-1 - count)) count += 1
  return count
}

/** Numbers compare faster than lines. */
function toNumbers(...texts: readonly (readonly string[])[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>()
  const [from, to] = texts.map((lines) =>
    Int32Array.from(lines, (line) => {
      const known = numbers.get(line)
      if (known !== undefined) return known
      numbers.set(line, numbers.size)
      return numbers.size - 1
    }),
  )
  return [from ?? new Int32Array(), to ?? new Int32Array()]
}

type Step = [kind: LineEdit['kind'], count: number]

function middleEdits(from: Int32Array, to: Int32Array): Step[] {
  const replaced: Step[] = [
    ['removed', from.length],
    ['added', to.length],
  ]
  if (from.length === 0 || to.length === 0) return replaced
  const trace = searchEdits(from, to)
  return trace === undefined ? replaced : walkBack(trace, from.length, to.length)
}

/** The furthest line of the old text on each diagonal, for each number of differences. */
function searchEdits(from: Int32Array, to: Int32Array): Int32Array[] | undefined {
  const most = Math.min(from.length + to.length, maxDifferences)
  const trace: Int32Array[] = []
  let row = new Int32Array([0, 0, 0])
  for (let differences = 0; differences <= most; differences += 1) {
    const next = new Int32Array(2 * differences + 3)
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const x = slide(startOn(row, diagonal, differences), diagonal, { from, to })
      next[diagonal + differences + 1] = x
      if (x >= from.length && x - diagonal >= to.length) return [...trace, next]
    }
    trace.push(next)
    row = next
  }
  return undefined
}

/** `row` holds the diagonals of one difference less, with a border on each side. */
function startOn(row: Int32Array, diagonal: number, differences: number): number {
  if (differences === 0) return 0
  const below = row[diagonal + 1 + differences] ?? 0
  const above = (row[diagonal - 1 + differences] ?? 0) + 1
  if (diagonal === -differences) return below
  if (diagonal === differences) return above
  return Math.max(below, above)
}

function slide(
  start: number,
  diagonal: number,
  { from, to }: { from: Int32Array; to: Int32Array },
): number {
  let x = start
  while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x += 1
  return x
}

function walkBack(trace: readonly Int32Array[], oldCount: number, newCount: number): Step[] {
  const steps: Step[] = []
  let x = oldCount
  let y = newCount
  for (let differences = trace.length - 1; differences > 0; differences -= 1) {
    const row = trace[differences - 1] ?? new Int32Array()
    const diagonal = x - y
    const start = startOn(row, diagonal, differences)
    const isAdded =
      diagonal === -differences ||
      (diagonal !== differences && (row[diagonal + 1 + differences] ?? 0) === start)
    steps.push(['same', x - start], [isAdded ? 'added' : 'removed', 1])
    x = isAdded ? start : start - 1
    y = isAdded ? start - diagonal - 1 : start - diagonal
  }
  steps.push(['same', x])
  return steps.toReversed()
}

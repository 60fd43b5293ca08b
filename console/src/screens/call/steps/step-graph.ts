/** A step as far as its place in the drawing goes. */
export interface GraphStep {
  id: string
  /** The steps that have to end first. */
  waitsFor: readonly string[]
}

/** One row of the drawing: its step, and the lines around it. */
export interface GraphRow<Step extends GraphStep> {
  step: Step
  /** The column of the step, counted from the left. */
  column: number
  /** Columns that end in the step from above. */
  into: readonly number[]
  /** Columns that begin at the step and continue below. */
  out: readonly number[]
  /** Columns that only pass by. */
  past: readonly number[]
}

/** Further columns are drawn on top of each other: nobody could follow them. */
const maxColumns = 6

/** A line that is on its way down to a step. */
type Line = string | undefined

/**
 * Places steps in rows, each below those it waits for, with a line for each wait. Steps that can run
 * at the same time get columns beside each other.
 */
export function layOutSteps<Step extends GraphStep>(steps: readonly Step[]): GraphRow<Step>[] {
  const waits = directWaits(steps)
  const lines: Line[] = []
  return toRows(steps).map((step) => {
    const into = lines.flatMap((target, column) => (target === step.id ? [column] : []))
    const column = into[0] ?? firstFree(lines)
    for (const ended of into) lines[ended] = undefined
    lines[column] = undefined
    const past = lines.flatMap((target, at) => (target === undefined ? [] : [at]))
    const out = followersOf(step.id, waits).map((follower, index) => {
      const at = index === 0 ? column : firstFree(lines, column)
      lines[at] = follower
      return at
    })
    const drawn = (all: readonly number[]) => [...new Set(all.map(toDrawn))]
    return {
      step,
      column: toDrawn(column),
      into: drawn(into),
      out: drawn(out),
      past: drawn(past),
    }
  })
}

/** How many columns the rows take. */
export function countColumns(rows: readonly GraphRow<GraphStep>[]): number {
  return 1 + Math.max(0, ...rows.flatMap(({ column, out, past }) => [column, ...out, ...past]))
}

function toDrawn(column: number): number {
  return Math.min(column, maxColumns - 1)
}

function firstFree(lines: readonly Line[], except?: number): number {
  for (let column = 0; ; column += 1) {
    if (column !== except && lines[column] === undefined) return column
  }
}

/** In the order in which they are written, but never above a step that they wait for. */
function toRows<Step extends GraphStep>(steps: readonly Step[]): Step[] {
  const rows: Step[] = []
  const placed = new Set<string>()
  const known = new Set(steps.map(({ id }) => id))
  let left = [...steps]
  while (left.length > 0) {
    const isReady = ({ waitsFor }: Step) => waitsFor.every((id) => placed.has(id) || !known.has(id))
    // Steps that wait for each other cannot be saved; they would be drawn as they come.
    const next = left.find(isReady) ?? left[0]
    if (next === undefined) break
    rows.push(next)
    placed.add(next.id)
    left = left.filter((step) => step !== next)
  }
  return rows
}

/** A step that waits for B does not need a line from A if B waits for A itself. */
function directWaits(steps: readonly GraphStep[]): ReadonlyMap<string, readonly string[]> {
  const byId = new Map(steps.map((step) => [step.id, step.waitsFor]))
  const above = new Map<string, Set<string>>()
  const allAbove = (id: string): Set<string> => {
    const known = above.get(id)
    if (known !== undefined) return known
    const found = new Set<string>()
    above.set(id, found)
    for (const before of byId.get(id) ?? []) {
      found.add(before)
      for (const further of allAbove(before)) found.add(further)
    }
    return found
  }
  return new Map(
    steps.map(({ id, waitsFor }) => [
      id,
      waitsFor.filter(
        (one) => !waitsFor.some((other) => other !== one && allAbove(other).has(one)),
      ),
    ]),
  )
}

function followersOf(id: string, waits: ReadonlyMap<string, readonly string[]>): string[] {
  return [...waits].flatMap(([follower, befores]) => (befores.includes(id) ? [follower] : []))
}

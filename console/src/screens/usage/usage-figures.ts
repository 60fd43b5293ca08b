import type { Api } from '../../api/client.ts'

export type UsageRow = Api<'UsageRow'>

/** The measures of usage. */
export const measures = ['calls', 'errors', 'cost', 'runMs', 'outputBytes'] as const
export type Measure = (typeof measures)[number]

export const measureNames: Readonly<Record<Measure, string>> = {
  calls: 'Calls',
  errors: 'Errors',
  cost: 'Cost',
  runMs: 'Run time',
  outputBytes: 'Output',
}

/** A row's figure. Errors are failed and denied calls. */
export function figureOf(row: UsageRow, measure: Measure): number {
  return measure === 'errors' ? row.failed + row.denied : row[measure]
}

const dayMs = 86_400_000

/** The first of this many days that end today (UTC), as the API takes it. */
export function firstDay(days: number, now: number): string {
  return toDay(now - (days - 1) * dayMs)
}

export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Every day from the first to the last, in order, with zeros for days without calls. */
export function withAllDays(rows: readonly UsageRow[], from: string, to: string): UsageRow[] {
  const known = new Map(rows.map((row) => [row.subject, row]))
  const days: UsageRow[] = []
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs) {
    const day = toDay(ms)
    days.push(known.get(day) ?? emptyRow(day))
  }
  return days
}

/** Drops days before the first call, but keeps at least a week, so that bars stay narrow. */
export function fromFirstCall(days: readonly UsageRow[]): UsageRow[] {
  const first = days.findIndex(({ calls, cost }) => calls > 0 || cost > 0)
  return days.slice(Math.max(0, Math.min(first, days.length - leastDays)))
}

const leastDays = 7

/** The search parameters of the Calls screen for one day. */
export function callsOfDay(day: string, measure: Measure) {
  const next = toDay(Date.parse(day) + dayMs)
  return { from: day, to: next, ...(measure === 'errors' && { status: 'failed' }) }
}

/** The sum of all rows. */
export function sumOf(rows: readonly UsageRow[]): UsageRow {
  const sum = emptyRow('all')
  for (const row of rows) {
    sum.calls += row.calls
    sum.completed += row.completed
    sum.failed += row.failed
    sum.denied += row.denied
    sum.cancelled += row.cancelled
    sum.runMs += row.runMs
    sum.outputBytes += row.outputBytes
    sum.cost += row.cost
  }
  return sum
}

function emptyRow(subject: string): UsageRow {
  return {
    subject,
    calls: 0,
    completed: 0,
    failed: 0,
    denied: 0,
    cancelled: 0,
    runMs: 0,
    outputBytes: 0,
    cost: 0,
  }
}

/** Highest first, without zeros. */
export function ranked(rows: readonly UsageRow[], measure: Measure): UsageRow[] {
  return rows
    .filter((row) => figureOf(row, measure) > 0)
    .toSorted((a, b) => figureOf(b, measure) - figureOf(a, measure))
}

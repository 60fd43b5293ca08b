import type { BudgetMeasure } from './limit.ts'
import type { Spent, UsageOf, UsageTotals } from './usage-totals.ts'

/** Recorded usage plus the calls that ended here and are not in it yet. */
export interface Budgets {
  /** The approximate usage in the period of each measure. */
  spent(tenant: string, of: UsageOf, needsMonth: boolean): Promise<Record<BudgetMeasure, number>>
  /** A call has ended here. */
  add(tenant: string, of: UsageOf, spent: Spent): void
  tick(): void
  size(): number
}

interface Entry {
  day: string
  /** The first value read, plus everything added here since. */
  first: Spent
  added: Spent
  /** The last value read, plus everything added since. */
  last: Spent
  addedSince: Spent
  /** The earlier days of this month; undefined until needed. */
  before: Spent | undefined
  readAt: number
  reading: Promise<void> | undefined
  touchedAt: number
}

/** How old figures may be. */
const freshMs = 1000
/** By then the figures include everything that was added here. */
const forgetAfterMs = 60_000
const heldAtMost = 10_000
const nothing: Spent = Object.freeze({ outputBytes: 0, cost: 0 })

/**
 * Figures lag by a second or two. This node's own additions are known at once, so the larger of two
 * sums is used: the newest figures plus later additions, or the first figures plus all additions
 * since.
 */
export function createBudgets(totals: UsageTotals, now: () => number): Budgets {
  const entries = new Map<string, Entry>()

  function find(key: string, day: string): Entry | undefined {
    const known = entries.get(key)
    // It starts again at midnight.
    return known?.day === day ? known : undefined
  }
  function enter(key: string, day: string): Entry {
    const known = find(key, day)
    if (known !== undefined) return known
    const zero = { first: nothing, added: nothing, last: nothing, addedSince: nothing }
    const times = { readAt: -Infinity, touchedAt: now() }
    const entry: Entry = { day, ...zero, ...times, before: undefined, reading: undefined }
    entries.set(key, entry)
    if (entries.size > heldAtMost) entries.delete(entries.keys().next().value ?? '')
    return entry
  }
  async function read(entry: Entry, tenant: string, of: UsageOf): Promise<void> {
    const startedAt = now()
    const isFirst = entry.readAt === -Infinity
    const addedBefore = entry.addedSince
    const last = await totals.total(tenant, entry.day, of)
    entry.last = { outputBytes: last.outputBytes, cost: last.cost }
    entry.addedSince = minus(entry.addedSince, addedBefore)
    if (isFirst) entry.first = entry.last
    entry.readAt = startedAt
  }
  return {
    async spent(tenant, of, needsMonth) {
      const day = toDay(now())
      const entry = enter(keyOf(tenant, of), day)
      entry.touchedAt = now()
      if (now() - entry.readAt >= freshMs) {
        entry.reading ??= read(entry, tenant, of).finally(() => (entry.reading = undefined))
        await entry.reading
      }
      if (needsMonth) entry.before ??= await sumBefore(totals, { tenant, day, of })
      const today = larger(plus(entry.last, entry.addedSince), plus(entry.first, entry.added))
      return {
        outputBytesPerDay: today.outputBytes,
        costPerDay: today.cost,
        costPerMonth: today.cost + (entry.before?.cost ?? 0),
      }
    },
    add(tenant, of, spent) {
      const entry = find(keyOf(tenant, of), toDay(now()))
      if (entry === undefined) return
      entry.added = plus(entry.added, spent)
      entry.addedSince = plus(entry.addedSince, spent)
    },
    tick() {
      const oldest = now() - forgetAfterMs
      for (const [key, entry] of entries) if (entry.touchedAt < oldest) entries.delete(key)
    },
    size: () => entries.size,
  }
}

/** The time left in the period of a budget, in UTC. */
export function msUntilNewBudget(measure: BudgetMeasure, at: number): number {
  const date = new Date(at)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const end =
    measure === 'costPerMonth' ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, day + 1)
  return end - at
}

async function sumBefore(
  totals: UsageTotals,
  { tenant, day, of }: { tenant: string; day: string; of: UsageOf },
): Promise<Spent> {
  const days = Array.from({ length: Number(day.slice(8)) - 1 }, (_, index) =>
    day.slice(0, 8).concat(String(index + 1).padStart(2, '0')),
  )
  const spent = await Promise.all(days.map((before) => totals.total(tenant, before, of)))
  return spent.reduce<Spent>(plus, nothing)
}

/** The day of a timestamp, in UTC. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function keyOf(tenant: string, { kind, id }: UsageOf): string {
  return `${tenant}\n${kind}\n${id}`
}

function plus(left: Spent, right: Spent): Spent {
  return { outputBytes: left.outputBytes + right.outputBytes, cost: left.cost + right.cost }
}

function minus(left: Spent, right: Spent): Spent {
  return { outputBytes: left.outputBytes - right.outputBytes, cost: left.cost - right.cost }
}

function larger(left: Spent, right: Spent): Spent {
  return {
    outputBytes: Math.max(left.outputBytes, right.outputBytes),
    cost: Math.max(left.cost, right.cost),
  }
}

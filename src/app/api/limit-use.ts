import { toDay } from '../../core/limits/budgets.ts'
import {
  budgetMeasures,
  type Limit,
  type LimitMeasure,
  type LimitUse,
} from '../../core/limits/limit.ts'
import { toUsageOf, type Spent } from '../../core/limits/usage-totals.ts'
import { compileGlob } from '../../core/policy/glob.ts'
import type { Store } from '../../core/ports.ts'

interface UseQuery {
  tenant: string
  limit: Limit
  /** What its counts are kept under. */
  key: string
  after: number
  most: number
}

interface UsePage {
  use: LimitUse[]
  next?: string
}

type Stores = Pick<Store, 'limits' | 'usage'>

/** Who has used how much of a limit, the most first. */
export async function readUse(query: UseQuery, stores: Stores): Promise<UsePage> {
  const { tenant, limit, key, after, most } = query
  const spent = await readSpent(query, stores.usage)
  if (limit.callsPerMinute === undefined && limit.concurrent === undefined) {
    return pageOf(rosterOf(spent, limit), { after, most })
  }
  const { items, next } = await stores.limits.listUse(
    { tenant, limit: key },
    { after, limit: most },
  )
  const use = items.map(({ subject, calls, concurrent }): LimitUse => {
    const counted = { callsPerMinute: calls, concurrent, ...spent.get(subject) }
    return { subject, used: pick(counted, limit) }
  })
  return next === undefined ? { use } : { use, next }
}

type Amounts = Partial<Record<LimitMeasure, number>>

/** What was spent today and this month, by subject as limits name them. */
async function readSpent(
  { tenant, limit }: UseQuery,
  usage: Store['usage'],
): Promise<Map<string, Amounts>> {
  const spent = new Map<string, Amounts>()
  if (budgetMeasures.every((measure) => limit[measure] === undefined)) return spent
  const to = toDay(Date.now())
  const kind = toUsageOf(limit.of, '').kind
  const add = (subject: string, amounts: Amounts) =>
    spent.set(subject, { ...spent.get(subject), ...amounts })
  const read = async (from: string, toAmounts: (row: Spent) => Amounts) => {
    if (kind === 'tenant') {
      const days = await usage.read(tenant, { from, to, by: 'day' })
      add(`tenant:${tenant}`, toAmounts(sum(days)))
      return
    }
    for (const row of await usage.read(tenant, { from, to, by: kind })) {
      const subject = toSubject(limit, row.subject)
      if (subject !== undefined) add(subject, toAmounts(row))
    }
  }
  await read(to, ({ outputBytes, cost }) => ({ outputBytesPerDay: outputBytes, costPerDay: cost }))
  if (limit.costPerMonth !== undefined) {
    await read(`${to.slice(0, 8)}01`, ({ cost }) => ({ costPerMonth: cost }))
  }
  return spent
}

function sum(rows: readonly Spent[]): Spent {
  return {
    outputBytes: rows.reduce((total, row) => total + row.outputBytes, 0),
    cost: rows.reduce((total, row) => total + row.cost, 0),
  }
}

/** `key:abc` of a principal; undefined for whom this limit is not about. */
function toSubject({ of: kind, match }: Limit, subject: string): string | undefined {
  const prefix = { key: 'key:', member: 'user:', tenant: '', agent: '', tool: '' }[kind]
  if (!subject.startsWith(prefix)) return undefined
  const id = subject.slice(prefix.length)
  // Patterns of tools may name groups and packs, which only calls are matched against.
  const isNamed = match !== undefined && !/^(?:group|pack):/.test(match)
  return isNamed && !compileGlob(match)(id) ? undefined : `${kind}:${id}`
}

function rosterOf(spent: ReadonlyMap<string, Amounts>, limit: Limit): LimitUse[] {
  const all = [...spent].map(([subject, amounts]) => ({ subject, used: pick(amounts, limit) }))
  const share = ({ used }: LimitUse) =>
    Math.max(...budgetMeasures.map((measure) => (used[measure] ?? 0) / (limit[measure] || 1)))
  return all
    .filter(({ used }) => Object.values(used).some((amount) => amount > 0))
    .toSorted(
      (left, right) => share(right) - share(left) || (left.subject < right.subject ? -1 : 1),
    )
}

/** The measures that this limit sets. */
function pick(amounts: Amounts, limit: Limit): Amounts {
  return Object.fromEntries(
    Object.entries(amounts).filter(([measure]) => limit[measure as LimitMeasure] !== undefined),
  )
}

function pageOf(
  all: readonly LimitUse[],
  { after, most }: { after: number; most: number },
): UsePage {
  const use = all.slice(after, after + most)
  return all.length > after + most ? { use, next: String(after + most) } : { use }
}

import { toDay } from '../../core/limits/budgets.ts'
import { budgetMeasures, type LimitMeasure } from '../../core/limits/limit.ts'
import { toUsageOf, type Spent } from '../../core/limits/usage-totals.ts'
import { compileGlob } from '../../core/kernel/text/glob.ts'
import type { Stores } from '../stores.ts'
import type { KnownLimit } from './known-limits.ts'
import type { Limit, LimitUse } from './schemas.ts'

interface UseQuery {
  tenant: string
  known: KnownLimit
  after: number
  most: number
}

type Use = Pick<Limit, 'use' | 'next'>
type Needed = Pick<Stores, 'now' | 'limits' | 'usage'>

/** A limit with its usage by subject, heaviest first. */
export async function readUse(query: UseQuery, stores: Needed): Promise<Limit> {
  return { ...query.known.limit, ...(await readSubjects(query, stores)) }
}

async function readSubjects(query: UseQuery, stores: Needed): Promise<Use> {
  const { tenant, known, after, most } = query
  const { limit, key } = known
  const spent = await readSpent(query, stores)
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

/** Usage today and this month, by subject as limits name them. */
async function readSpent(
  { tenant, known: { limit } }: UseQuery,
  { now, usage }: Pick<Stores, 'now' | 'usage'>,
): Promise<Map<string, Amounts>> {
  const spent = new Map<string, Amounts>()
  if (budgetMeasures.every((measure) => limit[measure] === undefined)) return spent
  const to = toDay(now())
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

/** `key:abc` of a principal; undefined if the limit does not apply to it. */
function toSubject({ of: kind, match }: KnownLimit['limit'], subject: string): string | undefined {
  const prefix = { key: 'key:', member: 'user:', tenant: '', agent: '', tool: '' }[kind]
  if (!subject.startsWith(prefix)) return undefined
  const id = subject.slice(prefix.length)
  // Tool patterns may name groups and packs, which only the pipeline can match.
  const isNamed = match !== undefined && !/^(?:group|pack):/.test(match)
  return isNamed && !compileGlob(match)(id) ? undefined : `${kind}:${id}`
}

function rosterOf(spent: ReadonlyMap<string, Amounts>, limit: KnownLimit['limit']): LimitUse[] {
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
function pick(amounts: Amounts, limit: KnownLimit['limit']): Amounts {
  return Object.fromEntries(
    Object.entries(amounts).filter(([measure]) => limit[measure as LimitMeasure] !== undefined),
  )
}

function pageOf(all: readonly LimitUse[], { after, most }: { after: number; most: number }): Use {
  const use = all.slice(after, after + most)
  return all.length > after + most ? { use, next: String(after + most) } : { use }
}

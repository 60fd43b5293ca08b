import { expect, test } from 'vitest'
import { createBudgets, msUntilNewBudget } from './budgets.ts'
import type { Spent, UsageTotals } from './usage-totals.ts'

const of = { kind: 'agent', id: 'support' } as const
const noon = Date.UTC(2026, 10, 15, 12)

/** Figures set by the test, and how often they were read. */
function createFigures() {
  const days = new Map<string, Spent>()
  const asked: string[] = []
  const totals: UsageTotals = {
    async total(_tenant, day) {
      asked.push(day)
      return days.get(day) ?? { outputBytes: 0, cost: 0 }
    },
    read: async () => [],
  }
  return { days, asked, totals }
}

test('figures are read at most once a second, and calls that ended here are added at once', async () => {
  const { days, asked, totals } = createFigures()
  let clock = noon
  const budgets = createBudgets(totals, () => clock)
  days.set('2026-11-15', { outputBytes: 100, cost: 1 })
  const spent = async () => (await budgets.spent('t', of, false)).costPerDay
  expect(await spent()).toBe(1)
  budgets.add('t', of, { outputBytes: 10, cost: 2 })
  expect([await spent(), asked.length]).toEqual([3, 1])
  // The figures do not include it yet, and it must not be forgotten.
  clock += 1000
  expect([await spent(), asked.length]).toEqual([3, 2])
  // Now they include it, and usage of another node: neither is counted twice.
  days.set('2026-11-15', { outputBytes: 110, cost: 7 })
  clock += 1000
  expect([await spent(), asked.length]).toEqual([7, 3])
  budgets.add('t', of, { outputBytes: 0, cost: 1 })
  expect(await spent()).toBe(8)
})

test('a month is the previous days and today; each starts again in UTC', async () => {
  const { days, totals } = createFigures()
  let clock = noon
  const budgets = createBudgets(totals, () => clock)
  days.set('2026-10-31', { outputBytes: 0, cost: 1000 })
  days.set('2026-11-01', { outputBytes: 0, cost: 10 })
  days.set('2026-11-14', { outputBytes: 0, cost: 5 })
  days.set('2026-11-15', { outputBytes: 7, cost: 1 })
  expect(await budgets.spent('t', of, true)).toEqual({
    outputBytesPerDay: 7,
    costPerDay: 1,
    costPerMonth: 16,
  })
  clock = Date.UTC(2026, 11, 1)
  expect(await budgets.spent('t', of, true)).toEqual({
    outputBytesPerDay: 0,
    costPerDay: 0,
    costPerMonth: 0,
  })
  expect(msUntilNewBudget('costPerDay', noon)).toBe(43_200_000)
  expect(msUntilNewBudget('costPerMonth', noon)).toBe(Date.UTC(2026, 11, 1) - noon)
  expect(msUntilNewBudget('costPerMonth', Date.UTC(2026, 11, 31, 23))).toBe(3_600_000)
})

test('concurrent calls share one read, and many subjects stay within a bound', async () => {
  const { asked, totals } = createFigures()
  let clock = noon
  const budgets = createBudgets(totals, () => clock)
  await Promise.all(Array.from({ length: 50 }, () => budgets.spent('t', of, false)))
  expect(asked).toHaveLength(1)
  for (let id = 0; id < 11_000; id += 1) {
    await budgets.spent('t', { kind: 'principal', id: `key:${id}` }, false)
  }
  expect(budgets.size()).toBe(10_000)
  clock += 61_000
  budgets.tick()
  expect(budgets.size()).toBe(0)
})

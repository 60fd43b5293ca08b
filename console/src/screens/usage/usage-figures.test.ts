import { expect, test } from 'vitest'
import { formatBytes, describePercent } from './amounts.ts'
import {
  callsOfDay,
  figureOf,
  firstDay,
  fromFirstCall,
  ranked,
  sumOf,
  withAllDays,
} from './usage-figures.ts'
import type { UsageRow } from './usage-figures.ts'

const row = (subject: string, calls: number, failed = 0): UsageRow => ({
  subject,
  calls,
  completed: calls - failed,
  failed,
  denied: 0,
  cancelled: 0,
  runMs: calls * 10,
  outputBytes: 0,
  cost: 0,
})

test('a day without calls is listed with zeros', () => {
  const days = withAllDays([row('2026-11-02', 3)], '2026-11-01', '2026-11-03')
  expect(days.map(({ subject, calls }) => [subject, calls])).toEqual([
    ['2026-11-01', 0],
    ['2026-11-02', 3],
    ['2026-11-03', 0],
  ])
})

test('days before the first call are left out, except for a week', () => {
  const month = (first: string) => withAllDays([row(first, 1)], '2026-11-01', '2026-11-30')
  const firstOf = (days: UsageRow[]) => fromFirstCall(days)[0]?.subject
  expect(firstOf(month('2026-11-30'))).toBe('2026-11-24')
  expect(firstOf(month('2026-11-12'))).toBe('2026-11-12')
  expect(firstOf(month('2026-11-01'))).toBe('2026-11-01')
  expect(fromFirstCall(withAllDays([], '2026-11-29', '2026-11-30'))).toHaveLength(2)
})

test('a day links to its calls, and errors to the failed ones', () => {
  expect(callsOfDay('2026-11-30', 'calls')).toEqual({ from: '2026-11-30', to: '2026-12-01' })
  expect(callsOfDay('2026-11-30', 'errors')).toMatchObject({ status: 'failed' })
})

test('the given number of days ends today', () => {
  expect(firstDay(1, Date.parse('2026-11-15T23:59:00Z'))).toBe('2026-11-15')
  expect(firstDay(30, Date.parse('2026-11-15T00:00:00Z'))).toBe('2026-10-17')
})

test('the highest comes first, and zeros are left out', () => {
  const rows = [row('a', 1), row('b', 9, 2), row('c', 5, 4)]
  expect(ranked(rows, 'calls').map(({ subject }) => subject)).toEqual(['b', 'c', 'a'])
  expect(ranked(rows, 'errors').map(({ subject }) => subject)).toEqual(['c', 'b'])
  expect(figureOf(sumOf(rows), 'errors')).toBe(6)
})

test('figures are formatted for people', () => {
  expect([0, 999, 1200, 5_400_000, 2e12].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.2 KB',
    '5.4 MB',
    '2.0 TB',
  ])
  expect([describePercent(1, 300), describePercent(1, 2), describePercent(0, 0)]).toEqual([
    '0.3%',
    '50%',
    '0%',
  ])
})

import { expect, test } from 'vitest'
import { describeFigures, describeShare } from './describe-figures.ts'

const none = { tool: 'a.b', calls: 0, completed: 0, failed: 0, denied: 0, cancelled: 0, days: [] }
const describeMs = (ms: number) => `${ms} ms`

test('figures are formatted in one line, and unknown ones are left out', () => {
  expect(
    describeFigures({ ...none, calls: 1284, completed: 1274, failed: 10, p95Ms: 120 }, describeMs),
  ).toBe('1,284 calls · 99.2% ok · p95 120 ms')
  expect(describeFigures({ ...none, calls: 1, cancelled: 1 }, describeMs)).toBe('1 call')
})

test('100% is shown only if it is exact', () => {
  expect([describeShare(1), describeShare(0.9999), describeShare(0)]).toEqual([
    '100%',
    '99.9%',
    '0%',
  ])
})

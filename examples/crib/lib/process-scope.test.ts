import { expect, test } from 'vitest'
import { firstSlice, scopeStep } from './process-scope.ts'
import type { ScopedStep } from './process-scope.ts'

const step = { name: 'Step', minutes: 60, timesPerMonth: 10, exceptionPercent: 0 }
const scoped = (name: string, approach: ScopedStep['approach'], hoursSaved: number) => ({
  name,
  approach,
  hoursSaved,
  hours: 10,
  automatableShare: 0.5,
})

test('every system beyond the first costs five points, down to sixty', () => {
  const shares = [0, 1, 2, 7, 9, 50].map(
    (systems) => scopeStep({ ...step, ruleBasedPercent: 100, systems }).automatableShare,
  )
  expect(shares.map((share) => Math.round(share * 100))).toEqual([100, 100, 95, 70, 60, 60])
})

test('the line between automate, assist and keep is drawn at seventy and thirty-five percent', () => {
  const approaches = [100, 70, 69.9, 35, 34.9, 0].map(
    (ruleBasedPercent) => scopeStep({ ...step, ruleBasedPercent, systems: 1 }).approach,
  )
  expect(approaches).toEqual(['automate', 'automate', 'assist', 'assist', 'keep', 'keep'])
  // 1 − 6 × 0.05 is a hair below 0.7 in binary.
  expect(scopeStep({ ...step, ruleBasedPercent: 100, systems: 7 }).approach).toBe('automate')
})

test('the first slice is the neighbourhood that saves most, the earlier of equal ones', () => {
  const steps = [
    scoped('a', 'automate', 5),
    scoped('b', 'keep', 0),
    scoped('c', 'automate', 3),
    scoped('d', 'automate', 2),
    scoped('e', 'assist', 9),
  ]
  expect(firstSlice(steps).map(({ name }) => name)).toEqual(['a'])
  expect(firstSlice(steps.slice(1)).map(({ name }) => name)).toEqual(['c', 'd'])
})

test('without a step to automate, one step to assist comes first, and otherwise none', () => {
  const assisted = [scoped('a', 'assist', 1), scoped('b', 'assist', 2), scoped('c', 'keep', 0)]
  expect(firstSlice(assisted).map(({ name }) => name)).toEqual(['b'])
  expect(firstSlice([scoped('c', 'keep', 0)])).toEqual([])
  expect(firstSlice([scoped('c', 'automate', 0)])).toEqual([])
})

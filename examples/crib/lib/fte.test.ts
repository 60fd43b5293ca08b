import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstYearShare, freedFte, grossFte, productiveHours } from './fte.ts'

const conditions = {
  workingHoursPerYear: 2000,
  absence: 0.2,
  rampUpMonths: 0,
  redeployment: 0.5,
  uncertainty: 0.1,
}

test('hours become positions by what a position really works', () => {
  expect(productiveHours(conditions)).toBe(1600)
  expect(grossFte(4000, conditions)).toBe(2.5)
  expect(freedFte(4000, conditions)).toEqual({ low: 1.125, expected: 1.25, high: 1.375 })
})

test('the high figure never exceeds what the hours themselves fill', () => {
  expect(freedFte(1600, { ...conditions, redeployment: 1, uncertainty: 1 })).toEqual({
    low: 0,
    expected: 1,
    high: 1,
  })
})

test('an even build-up gives half of the first year when it takes the whole of it', () => {
  expect([0, 6, 12, 24, 60].map(firstYearShare)).toEqual([1, 0.75, 0.5, 0.25, 0.1])
})

test('low, expected and high keep their order, and never exceed what the hours fill', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.nat(1e9), share, share, (hours, redeployment, uncertainty) => {
      const range = freedFte(hours, { ...conditions, redeployment, uncertainty })
      expect(range.low).toBeLessThanOrEqual(range.expected)
      expect(range.expected).toBeLessThanOrEqual(range.high)
      expect(range.high).toBeLessThanOrEqual(grossFte(hours, conditions))
    }),
  )
})

test('the longer the build-up, the less there is of the first year, but always something', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (months) => {
      expect(firstYearShare(months)).toBeLessThan(firstYearShare(months - 1))
      expect(firstYearShare(months)).toBeGreaterThan(0)
    }),
  )
})

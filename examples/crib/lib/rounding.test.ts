import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentOf, round, sum } from './rounding.ts'

test('rounds half away from zero in decimal, as a pocket calculator does', () => {
  expect([1.005, 2.675, 1.255, -1.005, 0.5, -0.5].map((value) => round(value))).toEqual([
    1.01, 2.68, 1.26, -1.01, 0.5, -0.5,
  ])
  expect([0.5, 1.5, -2.5].map((value) => round(value, 0))).toEqual([1, 2, -3])
})

test('tiny, huge and negative-zero values come out readable', () => {
  expect([1e-7, -1e-7, -0, 1e21, 1e-320].map((value) => round(value))).toEqual([0, 0, 0, 1e21, 0])
})

test('the result is never further off than half a unit, and rounding twice changes nothing', () => {
  const amounts = fc.double({ min: -1e12, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 4 }), (value, digits) => {
      const rounded = round(value, digits)
      expect(Math.abs(rounded - value)).toBeLessThanOrEqual(
        0.5 / 10 ** digits + Math.abs(value) * 4e-16,
      )
      expect(round(rounded, digits)).toBe(rounded)
      expect(round(-value, digits)).toBe(rounded === 0 ? 0 : -rounded)
    }),
  )
})

test('a share of nothing is nothing', () => {
  expect([percentOf(1, 3), percentOf(5, 0), percentOf(0, 5), percentOf(-1, 8)]).toEqual([
    33.3, 0, 0, -12.5,
  ])
})

test('the sum of an empty list is zero', () => {
  expect([sum([]), sum([1, 2, 3.5])]).toEqual([0, 6.5])
})

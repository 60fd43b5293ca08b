import fc from 'fast-check'
import { expect, test } from 'vitest'
import { complexityScore, effortDays, regulations, scoreDrivers, sizeOf } from './complexity.ts'

const easiest = {
  systems: 1,
  systemsWithoutInterface: 0,
  dataQuality: 5,
  rules: 0,
  exceptionPercent: 0,
  regulation: 'none',
  peopleAffected: 0,
} as const

const factors = fc.record({
  systems: fc.integer({ min: 1, max: 100 }),
  systemsWithoutInterface: fc.integer({ min: 0, max: 100 }),
  dataQuality: fc.integer({ min: 1, max: 5 }),
  rules: fc.nat(10_000),
  exceptionPercent: fc.integer({ min: 0, max: 100 }),
  regulation: fc.constantFrom(...regulations),
  peopleAffected: fc.nat(1_000_000),
})

test('the easiest automation scores nothing and takes four days', () => {
  expect(complexityScore(easiest)).toBe(0)
  expect(effortDays(0)).toEqual({ low: 3.4, expected: 4, high: 4.8 })
})

test('effort doubles every 17 points', () => {
  expect([17, 34, 51].map((score) => effortDays(score).expected)).toEqual([8, 16, 32])
})

test('sizes change at 25, 50 and 75 points', () => {
  expect([0, 24.9, 25, 49.9, 50, 74.9, 75, 100].map(sizeOf)).toEqual([
    'S',
    'S',
    'M',
    'M',
    'L',
    'L',
    'XL',
    'XL',
  ])
})

test('half of the points for rules come with twenty of them', () => {
  const [first] = scoreDrivers({ ...easiest, rules: 20 })
  expect(first).toEqual({ driver: 'rules', points: 10, maximum: 20 })
})

test('the score stays between 0 and 100 and the range keeps its order', () => {
  fc.assert(
    fc.property(factors, (given) => {
      const score = complexityScore(given)
      const { low, expected, high } = effortDays(score)
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(100)
      expect(low).toBeLessThan(expected)
      expect(expected).toBeLessThan(high)
    }),
  )
})

test('nothing that gets harder makes the whole easier', () => {
  fc.assert(
    fc.property(factors, (given) => {
      const before = complexityScore(given)
      const harder = [
        { ...given, systems: given.systems + 1 },
        { ...given, systemsWithoutInterface: given.systemsWithoutInterface + 1 },
        { ...given, dataQuality: Math.max(1, given.dataQuality - 1) },
        { ...given, rules: given.rules + 1 },
        { ...given, exceptionPercent: given.exceptionPercent + 1 },
        { ...given, regulation: 'strict' as const },
        { ...given, peopleAffected: given.peopleAffected + 1 },
      ]
      for (const changed of harder) {
        expect(complexityScore(changed)).toBeGreaterThanOrEqual(before - 1e-9)
      }
    }),
  )
})

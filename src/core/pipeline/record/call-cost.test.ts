import { expect, test } from 'vitest'
import { costOf, maxCost, reportCost } from './call-cost.ts'

test('amounts add up to the maximum, and an invalid amount changes nothing', () => {
  const spending = { units: 0 }
  reportCost(spending, 1.5)
  reportCost(spending, 0)
  for (const wrong of [-1, NaN, Infinity, maxCost, '3', undefined, null]) {
    expect(() => reportCost(spending, wrong as number)).toThrow('cost takes units')
  }
  expect(spending).toEqual({ units: 1.5 })
})

test('the price applies to completed calls, reported cost to all', () => {
  expect(costOf('completed', { cost: 3 }, 2)).toBe(5)
  expect(costOf('failed', { cost: 3 }, 2)).toBe(2)
  expect(costOf('denied', { cost: 3 })).toBe(0)
  expect(costOf('completed', undefined)).toBe(0)
})

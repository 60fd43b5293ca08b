import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accumulate, discountFlows, internalRate, paybackYears } from './cash-flow.ts'
import { sum } from './rounding.ts'

test('the first flow is not discounted, the others once a year', () => {
  expect(
    discountFlows([-100, 110, 121], 0.1).map((value) => Math.round(value * 1e9) / 1e9),
  ).toEqual([-100, 100, 100])
})

test('running totals start with the first flow', () => {
  expect([accumulate([-5, 2, 4]), accumulate([])]).toEqual([[-5, -3, 1], []])
})

test('payback falls within the year in which the total reaches zero', () => {
  expect(
    [
      [-100, 40, 40, 40],
      [-100, 50, 50],
      [-100, 0, 0, 200],
      [0, 10],
      [-100, 10],
      [-100, -10, 0],
    ].map(paybackYears),
  ).toEqual([2.5, 2, 2.5, 0, null, null])
})

test('money that is back but for binary rounding is back', () => {
  expect(paybackYears([-1000, 1100 / 1.1])).toBe(1)
})

test('payback is the first time, even when later years lose again', () => {
  expect(paybackYears([-10, 20, -30])).toBe(0.5)
})

test('the internal rate is found above, at and below zero', () => {
  const rates = [
    [-100, 110],
    [-100, 100],
    [-100, 50],
    [-100, 60, 60],
    [100, -110],
  ].map((flows) => Math.round((internalRate(flows) ?? Number.NaN) * 1e6) / 1e6)
  expect(rates).toEqual([0.1, 0, -0.5, 0.130662, 0.1])
})

test('there is no internal rate without exactly one change of sign', () => {
  expect(
    [[-100, -1, -1], [0, 10, 10], [-100, 300, -250], [], [0, 0], [-1e12, 1e-300]].map(internalRate),
  ).toEqual([null, null, null, null, null, null])
})

test('at the internal rate the flows are worth nothing', () => {
  const flow = fc.double({ min: 1, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(flow, fc.array(flow, { minLength: 1, maxLength: 50 }), (cost, gains) => {
      const flows = [-cost, ...gains]
      const rate = internalRate(flows)
      if (rate === null) throw new Error('one change of sign always has a rate')
      const value = sum(discountFlows(flows, rate))
      expect(Math.abs(value)).toBeLessThanOrEqual(cost * 1e-6)
    }),
  )
})

test('payback never gets longer when a later year brings more', () => {
  const flow = fc.double({ min: -1000, max: 1000, noNaN: true })
  fc.assert(
    fc.property(fc.array(flow, { minLength: 1, maxLength: 20 }), fc.nat(19), (gains, index) => {
      const better = gains.map((gain, year) => (year === index ? gain + 500 : gain))
      const before = paybackYears([-1000, ...gains]) ?? Infinity
      expect(paybackYears([-1000, ...better]) ?? Infinity).toBeLessThanOrEqual(before + 1e-9)
    }),
  )
})

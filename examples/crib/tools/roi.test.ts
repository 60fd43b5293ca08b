import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import roi from './roi.tool.ts'

const plain = {
  initialCost: 100_000,
  yearlyBenefit: 50_000,
  yearlyRunningCost: 10_000,
  benefitGrowthPercent: 0,
  discountRatePercent: 10,
  years: 5,
}
const summaryOf = async (input: unknown) => (await runTool(roi, input)).output.summary

test('an even return of 40,000 a year on 100,000 at ten percent', async () => {
  const { summary, years, chart } = (await runTool(roi, plain)).output
  expect(summary).toEqual({
    netPresentValue: 51_631.47,
    returnPercent: 66.67,
    paybackYears: 2.5,
    discountedPaybackYears: 3.02,
    internalRatePercent: 28.65,
    totalBenefit: 250_000,
    totalCost: 150_000,
    verdict: 'Pays back after 2.5 years; worth 51,631 today over 5 years.',
  })
  expect(years.slice(0, 2)).toEqual([
    {
      year: 0,
      benefit: 0,
      cost: 100_000,
      net: -100_000,
      discounted: -100_000,
      cumulative: -100_000,
      cumulativeDiscounted: -100_000,
    },
    {
      year: 1,
      benefit: 50_000,
      cost: 10_000,
      net: 40_000,
      discounted: 36_363.64,
      cumulative: -60_000,
      cumulativeDiscounted: -63_636.36,
    },
  ])
  expect(chart.at(-1)).toEqual({
    label: 'Year 5',
    cumulative: 100_000,
    cumulativeDiscounted: 51_631.47,
  })
})

test('growth compounds from the second year on, and missing keys take the usual values', async () => {
  const input = {
    initialCost: 25_000,
    yearlyBenefit: 12_000,
    yearlyRunningCost: 3_000,
    benefitGrowthPercent: 5,
  }
  expect(await summaryOf(input)).toEqual({
    netPresentValue: 15_575.56,
    returnPercent: 65.77,
    paybackYears: 2.63,
    discountedPaybackYears: 3.04,
    internalRatePercent: 28.38,
    totalBenefit: 66_307.58,
    totalCost: 40_000,
    verdict: 'Pays back after 2.63 years; worth 15,576 today over 5 years.',
  })
})

test('what never pays back has no payback, but still a negative internal rate', async () => {
  const input = {
    ...plain,
    initialCost: 40_000,
    yearlyBenefit: 6_000,
    yearlyRunningCost: 5_500,
    discountRatePercent: 8,
    years: 10,
  }
  expect(await summaryOf(input)).toEqual({
    netPresentValue: -36_644.96,
    returnPercent: -36.84,
    paybackYears: null,
    discountedPaybackYears: null,
    internalRatePercent: -26.71,
    totalBenefit: 60_000,
    totalCost: 95_000,
    verdict: 'Does not pay back within 10 years; worth -36,645 today over 10 years.',
  })
})

test('a running cost above the benefit has neither payback nor internal rate', async () => {
  const summary = await summaryOf({ ...plain, yearlyBenefit: 5_000 })
  expect(summary).toMatchObject({
    netPresentValue: -118_953.93,
    paybackYears: null,
    internalRatePercent: null,
  })
})

test('one year is enough', async () => {
  const input = {
    initialCost: 1_000,
    yearlyBenefit: 1_100,
    yearlyRunningCost: 0,
    benefitGrowthPercent: 50,
    discountRatePercent: 10,
    years: 1,
  }
  expect(await summaryOf(input)).toEqual({
    netPresentValue: 0,
    returnPercent: 10,
    paybackYears: 0.91,
    discountedPaybackYears: 1,
    internalRatePercent: 10,
    totalBenefit: 1_100,
    totalCost: 1_000,
    verdict: 'Pays back after 0.91 years; worth 0 today over 1 year.',
  })
})

test('it can pay back in plain money and not at the discount rate', async () => {
  const summary = await summaryOf({ ...plain, initialCost: 180_000 })
  expect(summary).toMatchObject({ paybackYears: 4.5, discountedPaybackYears: null })
  expect(summary.verdict).toBe(
    'Pays back after 4.5 years, but not at this discount rate; worth -28,369 today over 5 years.',
  )
})

test('nothing spent and nothing gained is worth nothing', async () => {
  const input = { initialCost: 0, yearlyBenefit: 0, yearlyRunningCost: 0, years: 3 }
  expect(await summaryOf(input)).toEqual({
    netPresentValue: 0,
    returnPercent: null,
    paybackYears: 0,
    discountedPaybackYears: 0,
    internalRatePercent: null,
    totalBenefit: 0,
    totalCost: 0,
    verdict: 'Pays back after 0 years; worth 0 today over 3 years.',
  })
})

test('a benefit that shrinks below the running cost has several rates, so none is given', async () => {
  const input = { ...plain, initialCost: 1_000, yearlyBenefit: 1_000, yearlyRunningCost: 100 }
  const summary = await summaryOf({ ...input, benefitGrowthPercent: -50, discountRatePercent: 0 })
  expect(summary).toMatchObject({
    netPresentValue: 437.5,
    paybackYears: 1.25,
    internalRatePercent: null,
  })
})

test('the largest input still gives finite figures', async () => {
  const largest = {
    initialCost: 1e12,
    yearlyBenefit: 1e12,
    yearlyRunningCost: 1e12,
    benefitGrowthPercent: 200,
    discountRatePercent: 0,
    years: 50,
  }
  const { summary, years } = (await runTool(roi, largest)).output
  expect(Number.isFinite(summary.netPresentValue)).toBe(true)
  expect(years).toHaveLength(51)
})

test('input outside of the limits is refused with its place', async () => {
  const wrong = { ...plain, initialCost: -1, years: 0 }
  await expect(runTool(roi, wrong)).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: '/initialCost' }, { path: '/years' }],
  })
})

const investments = fc.record({
  initialCost: fc.nat(1e7),
  yearlyBenefit: fc.nat(1e6),
  yearlyRunningCost: fc.nat(1e5),
  benefitGrowthPercent: fc.integer({ min: -100, max: 50 }),
  discountRatePercent: fc.nat(40),
  years: fc.integer({ min: 1, max: 30 }),
})

test('the table adds up to the summary', async () => {
  await fc.assert(
    fc.asyncProperty(investments, async (input) => {
      const { summary, years } = (await runTool(roi, input)).output
      const last = years.at(-1)
      expect(last?.cumulativeDiscounted).toBe(summary.netPresentValue)
      expect(last?.cumulative).toBeCloseTo(summary.totalBenefit - summary.totalCost, 1)
      // A cent of room: the table is rounded, the payback is not.
      const most = Math.max(...years.map(({ cumulative }) => cumulative))
      if (most > 0.01) expect(summary.paybackYears).not.toBeNull()
      if (most < -0.01) expect(summary.paybackYears).toBeNull()
    }),
  )
})

test('more benefit is never worth less, and discounting never pays back sooner', async () => {
  await fc.assert(
    fc.asyncProperty(investments, async (input) => {
      const before = await summaryOf(input)
      const after = await summaryOf({ ...input, yearlyBenefit: input.yearlyBenefit + 1000 })
      expect(after.netPresentValue).toBeGreaterThanOrEqual(before.netPresentValue)
      expect(before.discountedPaybackYears ?? Infinity).toBeGreaterThanOrEqual(
        before.paybackYears ?? 0,
      )
    }),
  )
})

import { defineTool, z } from 'toolcrib'
import { evaluateInvestment } from '../lib/investment.ts'
import type { InvestmentReturn } from '../lib/investment.ts'
import { round } from '../lib/rounding.ts'

const money = () => z.number().min(0).max(1e12)
const years = z.number().min(0).nullable()

/** Return on investment: what a spend today is worth over the years. */
export default defineTool({
  name: 'analysis.roi',
  title: 'Return on investment',
  description:
    'Work out net present value, ROI, payback time and internal rate of return of an investment, with a table by year. ' +
    'Use it when cost and yearly benefit are known in money, all in one currency. ' +
    'When the benefit is known only as saved working time, call analysis.time-savings first and pass on its moneySavedPerYear. ' +
    'Ask for missing amounts; do not guess them.',
  icon: 'report-money',
  effect: 'read',
  inputSchema: z.object({
    initialCost: money().describe('Spent once, at the start'),
    yearlyBenefit: money().describe('Gained in the first year, before running cost'),
    yearlyRunningCost: money().describe('Spent every year: licences, operation, support'),
    benefitGrowthPercent: z
      .number()
      .min(-100)
      .max(200)
      .nullable()
      .describe('Yearly change of the benefit in percent; negative shrinks it (0)'),
    discountRatePercent: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe('What money costs a year in percent, to value later years less (8)'),
    years: z.int().min(1).max(50).nullable().describe('How many years to look at (5)'),
  }),
  outputSchema: z.object({
    summary: z.object({
      netPresentValue: z
        .number()
        .describe('What it is worth today, all years, less the initial cost'),
      returnPercent: z
        .number()
        .nullable()
        .describe('ROI: gain over everything spent, not discounted; null when nothing is spent'),
      paybackYears: years.describe('Until the money is back; null when not within the years'),
      discountedPaybackYears: years.describe('The same with discounted money'),
      internalRatePercent: z
        .number()
        .nullable()
        .describe('Discount rate at which it is worth nothing; null when there is no single one'),
      totalBenefit: z.number(),
      totalCost: z.number(),
      verdict: z.string().describe('The result in one sentence'),
    }),
    years: z.array(
      z.object({
        year: z.int(),
        benefit: z.number(),
        cost: z.number(),
        net: z.number(),
        discounted: z.number(),
        cumulative: z.number(),
        cumulativeDiscounted: z.number(),
      }),
    ),
    chart: z.array(
      z.object({ label: z.string(), cumulative: z.number(), cumulativeDiscounted: z.number() }),
    ),
  }),
  examples: [
    {
      label: 'Pays back in the third year',
      input: {
        initialCost: 100_000,
        yearlyBenefit: 50_000,
        yearlyRunningCost: 10_000,
        benefitGrowthPercent: 0,
        discountRatePercent: 10,
        years: 5,
      },
    },
    {
      label: 'Growing benefit, usual assumptions for the rest',
      input: {
        initialCost: 25_000,
        yearlyBenefit: 12_000,
        yearlyRunningCost: 3_000,
        benefitGrowthPercent: 5,
        discountRatePercent: null,
        years: null,
      },
    },
    {
      label: 'Never pays back',
      input: {
        initialCost: 40_000,
        yearlyBenefit: 6_000,
        yearlyRunningCost: 5_500,
        benefitGrowthPercent: null,
        discountRatePercent: null,
        years: 10,
      },
    },
  ],
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'chart', label: 'Money in hand', type: 'chart' },
    { key: 'years', label: 'Year by year', type: 'table' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'verdict' },
          { key: 'netPresentValue', format: 'currency', digits: 0 },
          { key: 'returnPercent', label: 'Return', format: 'percent' },
          { key: 'paybackYears', label: 'Paid back after', unit: 'years' },
          { key: 'internalRatePercent', label: 'Internal rate of return', format: 'percent' },
          { key: 'totalBenefit', format: 'currency', digits: 0 },
          { key: 'totalCost', format: 'currency', digits: 0 },
          { key: 'discountedPaybackYears', label: 'Paid back, discounted', unit: 'years' },
        ],
      },
      {
        path: 'chart',
        chart: {
          kind: 'line',
          x: 'label',
          series: [
            { key: 'cumulative', label: 'Money in hand' },
            { key: 'cumulativeDiscounted', label: 'In today’s money' },
          ],
          format: 'currency',
          digits: 0,
        },
      },
      {
        path: 'years',
        columns: [
          { key: 'year', format: 'year' },
          { key: 'benefit', format: 'currency', digits: 0 },
          { key: 'cost', format: 'currency', digits: 0 },
          { key: 'net', format: 'currency', digits: 0 },
          { key: 'discounted', format: 'currency', digits: 0 },
          { key: 'cumulative', format: 'currency', digits: 0 },
          { key: 'cumulativeDiscounted', label: 'Discounted sum', format: 'currency', digits: 0 },
        ],
      },
    ],
  },

  execute(input) {
    const horizon = input.years ?? 5
    const { result, years } = evaluateInvestment({
      initialCost: input.initialCost,
      yearlyBenefit: input.yearlyBenefit,
      yearlyRunningCost: input.yearlyRunningCost,
      benefitGrowth: (input.benefitGrowthPercent ?? 0) / 100,
      discountRate: (input.discountRatePercent ?? 8) / 100,
      years: horizon,
    })
    return {
      summary: { ...result, verdict: toVerdict(result, horizon) },
      years,
      chart: years.map(({ year, cumulative, cumulativeDiscounted }) => ({
        label: `Year ${year}`,
        cumulative,
        cumulativeDiscounted,
      })),
    }
  },
})

function toVerdict(result: InvestmentReturn, horizon: number): string {
  const span = `${horizon} ${horizon === 1 ? 'year' : 'years'}`
  const value = round(result.netPresentValue, 0).toLocaleString('en')
  const worth = `worth ${value} today over ${span}`
  if (result.paybackYears === null) return `Does not pay back within ${span}; ${worth}.`
  if (result.netPresentValue < 0) {
    return `Pays back after ${result.paybackYears} years, but not at this discount rate; ${worth}.`
  }
  return `Pays back after ${result.paybackYears} years; ${worth}.`
}

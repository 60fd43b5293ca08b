import type { Tool } from 'toolcrib'
import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import businessCase from './business-case.tool.ts'
import roi from './roi.tool.ts'
import timeSavings from './time-savings.tool.ts'

const others: Record<string, Tool> = {
  'analysis.roi': roi,
  'analysis.time-savings': timeSavings,
}

/** Calls the real tools, and remembers in which order. */
function tracedCall(called: string[]) {
  return async (name: string, input: unknown) => {
    called.push(name)
    return (await runTool<unknown, unknown>(others[name] ?? roi, input)).output
  }
}

const paperless = {
  project: 'Paperless office',
  tasks: [
    { name: 'Type invoices', minutesEach: 6, timesPerWeek: 50, people: 3, savablePercent: 80 },
  ],
  hourlyRate: 50,
  weeksPerYear: 46,
  adoptionPercent: 75,
  initialCost: 30_000,
  yearlyRunningCost: 5_000,
  discountRatePercent: 8,
  years: 4,
}

test('time becomes money, and money a return, by calling the two tools in turn', async () => {
  const called: string[] = []
  const output = (await runTool(businessCase, paperless, { call: tracedCall(called) })).output
  expect(called).toEqual(['analysis.time-savings', 'analysis.roi'])
  // 552 h × 50 × 75 % = 20,700 a year; less 5,000 running cost.
  expect(output).toEqual({
    summary: {
      project: 'Paperless office',
      recommendation: 'go',
      reason: 'It is paid back after 1.91 years.',
      hoursSavedPerYear: 552,
      yearlyBenefit: 20_700,
      netPresentValue: 22_000.39,
      returnPercent: 65.6,
      paybackYears: 1.91,
      internalRatePercent: 37.83,
    },
    ranking: [{ rank: 1, name: 'Type invoices', hoursSavedPerYear: 552 }],
    years: [
      { year: 0, net: -30_000, cumulative: -30_000 },
      { year: 1, net: 15_700, cumulative: -14_300 },
      { year: 2, net: 15_700, cumulative: 1_400 },
      { year: 3, net: 15_700, cumulative: 17_100 },
      { year: 4, net: 15_700, cumulative: 32_800 },
    ],
  })
})

test('a late payback asks for a closer look, and none for a stop', async () => {
  const call = tracedCall([])
  const recommendations = []
  for (const initialCost of [45_000, 60_000]) {
    const output = (await runTool(businessCase, { ...paperless, initialCost }, { call })).output
    recommendations.push(output)
  }
  expect(recommendations).toMatchObject([
    {
      summary: {
        recommendation: 'check',
        reason: 'It earns its cost, but only after 2.87 of 4 years: check the assumptions.',
      },
    },
    { summary: { recommendation: 'stop', reason: 'It does not earn its cost within 4 years.' } },
  ])
})

test('a called tool that fails fails the business case with the same error', async () => {
  await expect(runTool(businessCase, paperless)).rejects.toMatchObject({
    code: 'tool_not_found',
    message: 'There is no tool analysis.time-savings here',
  })
})

test('a called tool that answers in another shape is named as the reason', async () => {
  const call = () => Promise.resolve({ summary: 'fine' })
  await expect(runTool(businessCase, paperless, { call })).rejects.toMatchObject({
    code: 'tool_failed',
    fix: 'Bring demo.business-case and the two analysis tools to the same version.',
  })
})

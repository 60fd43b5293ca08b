import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import processScoper from './process-scoper.tool.ts'

const open = {
  name: 'Open mail',
  minutes: 2,
  timesPerMonth: 1200,
  ruleBasedPercent: 100,
  exceptionPercent: 5,
  systems: 2,
}
const check = {
  name: 'Check order',
  minutes: 6,
  timesPerMonth: 1200,
  ruleBasedPercent: 70,
  exceptionPercent: 20,
  systems: 3,
}
const clear = {
  name: 'Clear up',
  minutes: 15,
  timesPerMonth: 180,
  ruleBasedPercent: 20,
  exceptionPercent: 60,
  systems: 3,
}

test('each step gets its share, its approach and its hours', async () => {
  expect(
    (await runTool(processScoper, { process: 'Invoices', steps: [open, check, clear] })).output,
  ).toEqual({
    summary: {
      process: 'Invoices',
      hoursNowPerMonth: 205,
      hoursSavedPerMonth: 66.34,
      hoursSavedPerYear: 796.08,
      savedPercent: 32.4,
      automate: 1,
      assist: 1,
      keep: 1,
    },
    steps: [
      {
        step: 1,
        name: 'Open mail',
        approach: 'automate',
        automatablePercent: 90.3,
        hoursNowPerMonth: 40,
        hoursSavedPerMonth: 36.1,
      },
      {
        step: 2,
        name: 'Check order',
        approach: 'assist',
        automatablePercent: 50.4,
        hoursNowPerMonth: 120,
        hoursSavedPerMonth: 30.24,
      },
      {
        step: 3,
        name: 'Clear up',
        approach: 'keep',
        automatablePercent: 7.2,
        hoursNowPerMonth: 45,
        hoursSavedPerMonth: 0,
      },
    ],
    firstSlice: {
      steps: ['Open mail'],
      hoursSavedPerMonth: 36.1,
      reason: 'It saves most of all steps that can run alone.',
    },
  })
})

test('neighbouring steps to automate make one slice', async () => {
  const steps = [{ ...open, name: 'Save file' }, open, check]
  const { firstSlice } = (await runTool(processScoper, { process: 'Invoices', steps })).output
  expect(firstSlice).toEqual({
    steps: ['Save file', 'Open mail'],
    hoursSavedPerMonth: 72.2,
    reason: 'Neighbouring steps that can run alone, without handing cases over in between.',
  })
})

test('a process of pure judgement is kept as it is', async () => {
  const { summary, firstSlice } = (
    await runTool(processScoper, {
      process: 'Advice',
      steps: [{ ...clear, ruleBasedPercent: 0 }],
    })
  ).output
  expect([summary.hoursSavedPerMonth, summary.savedPercent]).toEqual([0, 0])
  expect(firstSlice).toEqual({
    steps: [],
    hoursSavedPerMonth: 0,
    reason: 'No step saves time this way: simplify the process first.',
  })
})

test('a process that never runs takes and saves nothing', async () => {
  const steps = [{ ...open, timesPerMonth: 0 }]
  const { summary } = (await runTool(processScoper, { process: 'Idle', steps })).output
  expect(summary).toMatchObject({ hoursNowPerMonth: 0, hoursSavedPerMonth: 0, savedPercent: 0 })
})

test('hours saved are never more than hours spent, and rules never make a step less automatable', async () => {
  const percent = fc.nat(100)
  const step = fc.record({
    name: fc.constant('Step'),
    minutes: fc.nat(480),
    timesPerMonth: fc.nat(10_000),
    ruleBasedPercent: fc.nat(99),
    exceptionPercent: percent,
    systems: fc.nat(50),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      const before = (await runTool(processScoper, { process: 'p', steps })).output
      const clearer = steps.map((one) => ({ ...one, ruleBasedPercent: one.ruleBasedPercent + 1 }))
      const after = (await runTool(processScoper, { process: 'p', steps: clearer })).output
      expect(before.summary.hoursSavedPerMonth).toBeLessThanOrEqual(before.summary.hoursNowPerMonth)
      expect(before.firstSlice.hoursSavedPerMonth).toBeLessThanOrEqual(
        before.summary.hoursSavedPerMonth,
      )
      expect(after.summary.hoursSavedPerMonth).toBeGreaterThanOrEqual(
        before.summary.hoursSavedPerMonth,
      )
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import timeSavings from './time-savings.tool.ts'

const invoices = {
  name: 'Type invoices',
  minutesEach: 6,
  timesPerWeek: 50,
  people: 3,
  savablePercent: 80,
}
const report = {
  name: 'Weekly report',
  minutesEach: 90,
  timesPerWeek: 1,
  people: 5,
  savablePercent: 50,
}

test('two tasks add up to hours and money', async () => {
  const input = { tasks: [report, invoices], hourlyRate: 48, weeksPerYear: 46 }
  expect((await runTool(timeSavings, input)).output).toEqual({
    summary: {
      hoursNowPerWeek: 22.5,
      hoursSavedPerWeek: 15.75,
      hoursSavedPerYear: 724.5,
      savedPercent: 70,
      moneySavedPerYear: 34_776,
      biggestSaver: 'Type invoices',
    },
    ranking: [
      {
        rank: 1,
        name: 'Type invoices',
        hoursSavedPerWeek: 12,
        hoursSavedPerYear: 552,
        moneySavedPerYear: 26_496,
        shareOfSavingsPercent: 76.2,
      },
      {
        rank: 2,
        name: 'Weekly report',
        hoursSavedPerWeek: 3.75,
        hoursSavedPerYear: 172.5,
        moneySavedPerYear: 8_280,
        shareOfSavingsPercent: 23.8,
      },
    ],
  })
})

test('without a rate there is no money, and a year has 46 weeks', async () => {
  expect((await runTool(timeSavings, { tasks: [invoices] })).output).toEqual({
    summary: {
      hoursNowPerWeek: 15,
      hoursSavedPerWeek: 12,
      hoursSavedPerYear: 552,
      savedPercent: 80,
      moneySavedPerYear: null,
      biggestSaver: 'Type invoices',
    },
    ranking: [
      {
        rank: 1,
        name: 'Type invoices',
        hoursSavedPerWeek: 12,
        hoursSavedPerYear: 552,
        moneySavedPerYear: null,
        shareOfSavingsPercent: 100,
      },
    ],
  })
})

test('tasks that save nothing are zeros, not a division by zero', async () => {
  const idle = { ...invoices, savablePercent: 0, timesPerWeek: 0 }
  expect((await runTool(timeSavings, { tasks: [idle], hourlyRate: 0 })).output).toEqual({
    summary: {
      hoursNowPerWeek: 0,
      hoursSavedPerWeek: 0,
      hoursSavedPerYear: 0,
      savedPercent: 0,
      moneySavedPerYear: 0,
      biggestSaver: null,
    },
    ranking: [
      {
        rank: 1,
        name: 'Type invoices',
        hoursSavedPerWeek: 0,
        hoursSavedPerYear: 0,
        moneySavedPerYear: 0,
        shareOfSavingsPercent: 0,
      },
    ],
  })
})

test('equal tasks keep the order in which they were given', async () => {
  const tasks = ['c', 'a', 'b'].map((name) => ({ ...invoices, name }))
  const { ranking } = (await runTool(timeSavings, { tasks })).output
  expect(ranking.map(({ rank, name }) => [rank, name])).toEqual([
    [1, 'c'],
    [2, 'a'],
    [3, 'b'],
  ])
})

test('no tasks, and more than a hundred, are refused', async () => {
  const tooMany = Array.from({ length: 101 }, () => invoices)
  await expect(runTool(timeSavings, { tasks: [] })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(runTool(timeSavings, { tasks: tooMany })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

const tasks = fc.array(
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 20 }),
    minutesEach: fc.nat(480),
    timesPerWeek: fc.nat(200),
    people: fc.integer({ min: 1, max: 500 }),
    savablePercent: fc.nat(100),
  }),
  { minLength: 1, maxLength: 12 },
)

test('saved time never exceeds spent time, and the ranking holds every task once, best first', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, async (given) => {
      const { summary, ranking } = (await runTool(timeSavings, { tasks: given })).output
      expect(summary['hoursSavedPerWeek']).toBeLessThanOrEqual(summary.hoursNowPerWeek)
      expect(ranking.map(({ name }) => name).toSorted()).toEqual(
        given.map(({ name }) => name).toSorted(),
      )
      const hours = ranking.map(({ hoursSavedPerWeek }) => hoursSavedPerWeek)
      expect(hours).toEqual(hours.toSorted((a, b) => b - a))
      const total = hours.reduce((sum, value) => sum + value, 0)
      expect(Math.abs(total - summary.hoursSavedPerWeek)).toBeLessThanOrEqual(
        0.005 * given.length + 0.01,
      )
    }),
  )
})

import { defineTool, z } from 'toolcrib'
import { percentOf, round, sum } from '../lib/rounding.ts'
import { savedHours, savedTask, weeklyHours } from '../lib/saved-task.ts'
import type { SavedTask } from '../lib/saved-task.ts'

/** Weeks a year in which people work, after holidays: the usual figure for a full-time contract. */
const usualWeeksPerYear = 46

/** Time savings: which recurring tasks give back how many hours, and what they are worth. */
export default defineTool({
  name: 'analysis.time-savings',
  title: 'Time savings',
  description:
    'Add up the working time that recurring tasks would give back, per week and year, in hours and money, and rank the tasks. ' +
    'Use it when somebody lists what people do and how often. ' +
    'To see whether a spend is worth it, pass moneySavedPerYear to analysis.roi as yearlyBenefit; ' +
    'to turn hours into positions, use analysis.fte-impact.',
  icon: 'clock-dollar',
  effect: 'read',
  inputSchema: z.object({
    tasks: z.array(savedTask).min(1).max(100).describe('The tasks, one entry each'),
    hourlyRate: z
      .number()
      .min(0)
      .max(10_000)
      .nullable()
      .describe('Full cost of one working hour; without it there are no money figures'),
    weeksPerYear: z
      .number()
      .min(1)
      .max(53)
      .nullable()
      .describe(`Weeks worked in a year, after holidays (${usualWeeksPerYear})`),
  }),
  outputSchema: z.object({
    summary: z.object({
      hoursNowPerWeek: z.number(),
      hoursSavedPerWeek: z.number(),
      hoursSavedPerYear: z.number(),
      savedPercent: z.number().describe('Saved share of the time the tasks take now'),
      moneySavedPerYear: z.number().nullable().describe('Null without an hourly rate'),
      biggestSaver: z.string().nullable().describe('The task that saves most; null when none does'),
    }),
    ranking: z.array(
      z.object({
        rank: z.int(),
        name: z.string(),
        hoursSavedPerWeek: z.number(),
        hoursSavedPerYear: z.number(),
        moneySavedPerYear: z.number().nullable(),
        shareOfSavingsPercent: z.number(),
      }),
    ),
  }),
  examples: [
    {
      label: 'An office team with two tasks',
      input: {
        tasks: [
          {
            name: 'Type invoices',
            minutesEach: 6,
            timesPerWeek: 50,
            people: 3,
            savablePercent: 80,
          },
          {
            name: 'Weekly report',
            minutesEach: 90,
            timesPerWeek: 1,
            people: 5,
            savablePercent: 50,
          },
        ],
        hourlyRate: 48,
        weeksPerYear: 46,
      },
    },
    {
      label: 'Hours only',
      input: {
        tasks: [
          {
            name: 'Answer routine mail',
            minutesEach: 4,
            timesPerWeek: 120,
            people: 8,
            savablePercent: 40,
          },
        ],
        hourlyRate: null,
        weeksPerYear: null,
      },
    },
  ],
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'ranking', label: 'Tasks by hours saved', type: 'ranking' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'hoursSavedPerYear', label: 'Saved a year', unit: 'hours' },
          { key: 'moneySavedPerYear', label: 'Worth a year', format: 'currency', digits: 0 },
          { key: 'savedPercent', label: 'Of the time it takes now', format: 'percent' },
          { key: 'biggestSaver' },
          { key: 'hoursSavedPerWeek', label: 'Saved a week', unit: 'hours' },
          { key: 'hoursNowPerWeek', label: 'Takes now a week', unit: 'hours' },
        ],
      },
      {
        path: 'ranking',
        ranking: { by: 'hoursSavedPerYear', label: 'name' },
        columns: [
          { key: 'hoursSavedPerYear', label: 'Saved a year', unit: 'hours' },
          { key: 'hoursSavedPerWeek', label: 'A week', unit: 'hours' },
          { key: 'moneySavedPerYear', label: 'Worth', format: 'currency', digits: 0 },
          { key: 'shareOfSavingsPercent', label: 'Share', format: 'percent' },
        ],
      },
    ],
  },

  execute({ tasks, hourlyRate, weeksPerYear }) {
    const weeks = weeksPerYear ?? usualWeeksPerYear
    const toMoney = (hoursPerWeek: number) =>
      hourlyRate === null ? null : round(hoursPerWeek * weeks * hourlyRate)
    const ranked = rankTasks(tasks)
    const now = sum(tasks.map(weeklyHours))
    const saved = sum(ranked.map(({ hours }) => hours))
    return {
      summary: {
        hoursNowPerWeek: round(now),
        hoursSavedPerWeek: round(saved),
        hoursSavedPerYear: round(saved * weeks),
        savedPercent: percentOf(saved, now),
        moneySavedPerYear: toMoney(saved),
        biggestSaver: saved > 0 ? (ranked[0]?.name ?? null) : null,
      },
      ranking: ranked.map(({ name, hours }, index) => ({
        rank: index + 1,
        name,
        hoursSavedPerWeek: round(hours),
        hoursSavedPerYear: round(hours * weeks),
        moneySavedPerYear: toMoney(hours),
        shareOfSavingsPercent: percentOf(hours, saved),
      })),
    }
  },
})

/** Most hours first; equal ones keep the order in which they were given. */
function rankTasks(tasks: readonly SavedTask[]): { name: string; hours: number }[] {
  return tasks
    .map((task) => ({ name: task.name, hours: savedHours(task) }))
    .toSorted((a, b) => b.hours - a.hours)
}

import { defineTool, ToolError, z } from 'toolcrib'
import { round } from '../lib/rounding.ts'
import { savedTask } from '../lib/saved-task.ts'

/** What this tool reads of the other tools' answers. They may say more; less is an error. */
const savingsAnswer = z.object({
  summary: z.object({ hoursSavedPerYear: z.number(), moneySavedPerYear: z.number() }),
  ranking: z.array(z.object({ rank: z.int(), name: z.string(), hoursSavedPerYear: z.number() })),
})
const returnAnswer = z.object({
  summary: z.object({
    netPresentValue: z.number(),
    returnPercent: z.number().nullable(),
    paybackYears: z.number().nullable(),
    internalRatePercent: z.number().nullable(),
  }),
  years: z.array(z.object({ year: z.int(), net: z.number(), cumulative: z.number() })),
})

/** A business case: time savings turned into money, and the money into a return. */
export default defineTool({
  name: 'demo.business-case',
  title: 'Business case',
  description:
    'Make a business case for saving time: what the tasks give back, what that is worth, and whether it returns the cost. ' +
    'Calls analysis.time-savings and analysis.roi itself, so use it instead of calling the two one after the other. ' +
    'It needs an hourly rate and the cost; ask for them when they are missing.',
  icon: 'briefcase',
  effect: 'read',
  inputSchema: z.object({
    project: z.string().min(1).max(120).describe('Name of the project'),
    tasks: z.array(savedTask).min(1).max(100).describe('The tasks that would take less time'),
    hourlyRate: z.number().min(0).max(10_000).describe('Full cost of one working hour'),
    weeksPerYear: z.number().min(1).max(53).nullable().describe('Weeks worked in a year (46)'),
    adoptionPercent: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe('Share of the saving that really comes, since not everybody joins in (80)'),
    initialCost: z.number().min(0).max(1e12).describe('Spent once, at the start'),
    yearlyRunningCost: z.number().min(0).max(1e12).describe('Spent every year'),
    discountRatePercent: z.number().min(0).max(100).nullable().describe('Cost of money a year (8)'),
    years: z.int().min(1).max(50).nullable().describe('How many years to look at (5)'),
  }),
  outputSchema: z.object({
    summary: z.object({
      project: z.string(),
      recommendation: z.enum(['go', 'check', 'stop']),
      reason: z.string(),
      hoursSavedPerYear: z.number().describe('At full adoption'),
      yearlyBenefit: z.number().describe('In money, after adoption'),
      netPresentValue: z.number(),
      returnPercent: z.number().nullable(),
      paybackYears: z.number().nullable(),
      internalRatePercent: z.number().nullable(),
    }),
    ranking: z.array(z.object({ rank: z.int(), name: z.string(), hoursSavedPerYear: z.number() })),
    years: z.array(z.object({ year: z.int(), net: z.number(), cumulative: z.number() })),
  }),
  examples: [
    {
      label: 'Invoices and reports',
      input: {
        project: 'Paperless office',
        tasks: [
          {
            name: 'Type invoices',
            minutesEach: 6,
            timesPerWeek: 50,
            people: 3,
            savablePercent: 80,
          },
        ],
        hourlyRate: 50,
        weeksPerYear: 46,
        adoptionPercent: 75,
        initialCost: 30_000,
        yearlyRunningCost: 5_000,
        discountRatePercent: 8,
        years: 4,
      },
    },
    {
      label: 'Too little to gain',
      input: {
        project: 'Robot for the mail room',
        tasks: [
          { name: 'Sort mail', minutesEach: 20, timesPerWeek: 5, people: 1, savablePercent: 60 },
        ],
        hourlyRate: 35,
        weeksPerYear: null,
        adoptionPercent: null,
        initialCost: 20_000,
        yearlyRunningCost: 1_500,
        discountRatePercent: null,
        years: null,
      },
    },
  ],
  form: {
    groups: [
      { label: 'The money', fields: ['hourlyRate', 'initialCost', 'yearlyRunningCost'] },
      {
        label: 'Assumptions',
        description: 'Left empty, each is what experience says.',
        fields: ['weeksPerYear', 'adoptionPercent', 'discountRatePercent', 'years'],
        collapsed: true,
      },
    ],
    fields: {
      project: { placeholder: 'Paperless office' },
      weeksPerYear: { placeholder: '46' },
      adoptionPercent: { placeholder: '80', label: 'Adoption, percent' },
      discountRatePercent: { placeholder: '8', label: 'Discount rate, percent' },
      years: { placeholder: '5' },
      'tasks[].savablePercent': { label: 'Savable, percent' },
    },
  },
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'ranking', label: 'Where the time comes from', type: 'ranking' },
    { key: 'years', label: 'Year by year', type: 'table' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'reason' },
          { key: 'project' },
          { key: 'recommendation', tones: { go: 'good', check: 'caution', stop: 'bad' } },
          { key: 'netPresentValue', format: 'currency', digits: 0 },
          { key: 'returnPercent', label: 'Return', format: 'percent' },
          { key: 'paybackYears', label: 'Paid back after', unit: 'years' },
          { key: 'internalRatePercent', label: 'Internal rate of return', format: 'percent' },
          { key: 'yearlyBenefit', label: 'Benefit a year', format: 'currency', digits: 0 },
          { key: 'hoursSavedPerYear', label: 'Saved a year', unit: 'hours' },
        ],
      },
      {
        path: 'years',
        kind: 'chart',
        title: 'Money in hand',
        chart: {
          kind: 'line',
          x: 'year',
          series: [{ key: 'cumulative', label: 'Money in hand' }],
          format: 'currency',
          digits: 0,
        },
      },
      {
        path: 'ranking',
        ranking: { by: 'hoursSavedPerYear', label: 'name' },
        columns: [{ key: 'hoursSavedPerYear', label: 'Saved a year', unit: 'hours' }],
      },
      {
        path: 'years',
        kind: 'table',
        title: 'Year by year',
        columns: [
          { key: 'year', format: 'year' },
          { key: 'net', format: 'currency', digits: 0 },
          { key: 'cumulative', format: 'currency', digits: 0 },
        ],
      },
    ],
  },

  async execute(input, context) {
    const { tasks, hourlyRate, weeksPerYear } = input
    const savings = read(
      savingsAnswer,
      await context.call('analysis.time-savings', { tasks, hourlyRate, weeksPerYear }),
    )
    const yearlyBenefit = round(
      (savings.summary.moneySavedPerYear * (input.adoptionPercent ?? 80)) / 100,
    )
    const returns = read(
      returnAnswer,
      await context.call('analysis.roi', {
        initialCost: input.initialCost,
        yearlyBenefit,
        yearlyRunningCost: input.yearlyRunningCost,
        benefitGrowthPercent: 0,
        discountRatePercent: input.discountRatePercent,
        years: input.years,
      }),
    )
    return {
      summary: {
        project: input.project,
        ...recommend(returns.summary, input.years ?? 5),
        hoursSavedPerYear: savings.summary.hoursSavedPerYear,
        yearlyBenefit,
        ...returns.summary,
      },
      ranking: savings.ranking,
      years: returns.years,
    }
  },
})

/** Another tool's answer is foreign data: it is read like any other, and a change there is told plainly. */
function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  throw new ToolError(
    'tool_failed',
    `A called tool answered in another shape: ${result.error.message}`,
    {
      fix: 'Bring demo.business-case and the two analysis tools to the same version.',
    },
  )
}

/** Worth it, and back in the first half of the time: go. Worth it, but later: look closer. */
function recommend(
  { netPresentValue, paybackYears }: z.infer<typeof returnAnswer>['summary'],
  years: number,
): { recommendation: 'go' | 'check' | 'stop'; reason: string } {
  if (netPresentValue <= 0 || paybackYears === null) {
    return { recommendation: 'stop', reason: `It does not earn its cost within ${years} years.` }
  }
  if (paybackYears <= years / 2) {
    return { recommendation: 'go', reason: `It is paid back after ${paybackYears} years.` }
  }
  return {
    recommendation: 'check',
    reason: `It earns its cost, but only after ${paybackYears} of ${years} years: check the assumptions.`,
  }
}

import { defineTool, z } from 'toolcrib'
import { approaches, firstSlice, scopeStep } from '../lib/process-scope.ts'
import type { Approach, ScopedStep } from '../lib/process-scope.ts'
import { percentOf, round, sum } from '../lib/rounding.ts'

/** Process automation scoper: which steps to automate, which to assist, and where to begin. */
export default defineTool({
  name: 'analysis.process-scoper',
  title: 'Process automation scoper',
  description:
    'Look at a process step by step: how much of each step can be automated, whether to automate, assist or keep it, ' +
    'the hours saved, and the first slice to build. Use it when the steps of a process are known. ' +
    'With only an idea, call analysis.quick-score first; for the effort of the first slice, call analysis.complexity after it.',
  icon: 'route',
  effect: 'read',
  inputSchema: z.object({
    process: z.string().min(1).max(120).describe('Name of the process'),
    steps: z
      .array(
        z.object({
          name: z.string().min(1).max(120).describe('What is done in this step'),
          minutes: z.number().min(0).max(2400).describe('Working minutes each time'),
          timesPerMonth: z
            .number()
            .min(0)
            .max(10_000_000)
            .describe('How often a month, all people'),
          ruleBasedPercent: z
            .number()
            .min(0)
            .max(100)
            .describe('Share of the work that follows fixed rules, in percent'),
          exceptionPercent: z
            .number()
            .min(0)
            .max(100)
            .describe('Share of cases that turn out as exceptions, in percent'),
          systems: z.int().min(0).max(50).describe('How many systems the step touches'),
        }),
      )
      .min(1)
      .max(60)
      .describe('The steps in their order'),
  }),
  outputSchema: z.object({
    summary: z.object({
      process: z.string(),
      hoursNowPerMonth: z.number(),
      hoursSavedPerMonth: z.number(),
      hoursSavedPerYear: z.number(),
      savedPercent: z.number().describe('Saved share of the hours of today'),
      automate: z.int().describe('Steps to automate'),
      assist: z.int().describe('Steps to help people with'),
      keep: z.int().describe('Steps to leave as they are'),
    }),
    steps: z.array(
      z.object({
        step: z.int(),
        name: z.string(),
        approach: z.enum(approaches),
        automatablePercent: z.number(),
        hoursNowPerMonth: z.number(),
        hoursSavedPerMonth: z.number(),
      }),
    ),
    firstSlice: z.object({
      steps: z.array(z.string()).describe('Empty when nothing is worth starting with'),
      hoursSavedPerMonth: z.number(),
      reason: z.string(),
    }),
  }),
  examples: [
    {
      label: 'Incoming invoices',
      input: {
        process: 'Incoming invoices',
        steps: [
          {
            name: 'Open the mail and save the file',
            minutes: 2,
            timesPerMonth: 1200,
            ruleBasedPercent: 100,
            exceptionPercent: 5,
            systems: 2,
          },
          {
            name: 'Type in the amounts',
            minutes: 5,
            timesPerMonth: 1200,
            ruleBasedPercent: 90,
            exceptionPercent: 10,
            systems: 1,
          },
          {
            name: 'Check against the order',
            minutes: 6,
            timesPerMonth: 1200,
            ruleBasedPercent: 70,
            exceptionPercent: 20,
            systems: 3,
          },
          {
            name: 'Clear up differences',
            minutes: 15,
            timesPerMonth: 180,
            ruleBasedPercent: 20,
            exceptionPercent: 60,
            systems: 3,
          },
        ],
      },
    },
    {
      label: 'One step',
      input: {
        process: 'Holiday requests',
        steps: [
          {
            name: 'Enter the request',
            minutes: 10,
            timesPerMonth: 60,
            ruleBasedPercent: 95,
            exceptionPercent: 2,
            systems: 1,
          },
        ],
      },
    },
  ],
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'firstSlice', label: 'Begin with', type: 'summary' },
    { key: 'steps', label: 'Step by step', type: 'table' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'process' },
          { key: 'hoursSavedPerYear', label: 'Saved a year', unit: 'hours' },
          { key: 'savedPercent', label: 'Of the time it takes now', format: 'percent' },
          { key: 'hoursSavedPerMonth', label: 'Saved a month', unit: 'hours' },
          { key: 'hoursNowPerMonth', label: 'Takes now a month', unit: 'hours' },
          { key: 'automate', unit: 'steps' },
          { key: 'assist', unit: 'steps' },
          { key: 'keep', label: 'Keep as it is', unit: 'steps' },
        ],
      },
      {
        path: 'firstSlice',
        columns: [{ key: 'hoursSavedPerMonth', label: 'Saves a month', unit: 'hours' }],
      },
      {
        path: 'steps',
        kind: 'chart',
        title: 'Hours a month',
        chart: {
          kind: 'bar',
          x: 'name',
          series: [
            { key: 'hoursNowPerMonth', label: 'Takes now' },
            { key: 'hoursSavedPerMonth', label: 'Of these saved' },
          ],
          unit: 'hours',
        },
      },
      {
        path: 'steps',
        kind: 'table',
        title: 'Step by step',
        columns: [
          { key: 'step', label: '#' },
          { key: 'name' },
          {
            key: 'approach',
            tones: { automate: 'good', assist: 'caution', keep: 'neutral' },
          },
          { key: 'automatablePercent', label: 'Can be automated', format: 'percent' },
          { key: 'hoursNowPerMonth', label: 'Hours now' },
          { key: 'hoursSavedPerMonth', label: 'Hours saved' },
        ],
      },
    ],
  },

  execute({ process: name, steps }) {
    const scoped = steps.map(scopeStep)
    const now = sum(scoped.map(({ hours }) => hours))
    const saved = sum(scoped.map(({ hoursSaved }) => hoursSaved))
    const count = (wanted: Approach) => scoped.filter(({ approach }) => approach === wanted).length
    return {
      summary: {
        process: name,
        hoursNowPerMonth: round(now),
        hoursSavedPerMonth: round(saved),
        hoursSavedPerYear: round(saved * 12),
        savedPercent: percentOf(saved, now),
        automate: count('automate'),
        assist: count('assist'),
        keep: count('keep'),
      },
      steps: scoped.map((step, index) => ({
        step: index + 1,
        name: step.name,
        approach: step.approach,
        automatablePercent: percentOf(step.automatableShare, 1),
        hoursNowPerMonth: round(step.hours),
        hoursSavedPerMonth: round(step.hoursSaved),
      })),
      firstSlice: describeSlice(firstSlice(scoped)),
    }
  },
})

function describeSlice(slice: readonly ScopedStep[]) {
  return {
    steps: slice.map(({ name }) => name),
    hoursSavedPerMonth: round(sum(slice.map(({ hoursSaved }) => hoursSaved))),
    reason: reasonFor(slice),
  }
}

function reasonFor(slice: readonly ScopedStep[]): string {
  const [first] = slice
  if (first === undefined) return 'No step saves time this way: simplify the process first.'
  if (first.approach === 'assist') return 'No step can run alone; help people most here.'
  if (slice.length === 1) return 'It saves most of all steps that can run alone.'
  return 'Neighbouring steps that can run alone, without handing cases over in between.'
}

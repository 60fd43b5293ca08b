import { defineTool, z } from 'toolcrib'
import { firstYearShare, freedFte, grossFte, productiveHours, scaleRange } from '../lib/fte.ts'
import type { FteConditions, FteRange } from '../lib/fte.ts'
import { round, sum } from '../lib/rounding.ts'

const percent = (highest: number) => z.number().min(0).max(highest).nullable()

/** Full-time-equivalent impact: how many positions saved hours come to, role by role. */
export default defineTool({
  name: 'analysis.fte-impact',
  title: 'Full-time-equivalent impact',
  description:
    'Turn saved working hours into full-time equivalents and cost, by role and in total, with a low, expected and high figure. ' +
    'Use it when hours saved per year are known, for instance from analysis.time-savings or analysis.process-scoper. ' +
    'It counts time that becomes free for other work; it says nothing about dismissals.',
  icon: 'users-group',
  effect: 'read',
  inputSchema: z.object({
    roles: z
      .array(
        z.object({
          role: z.string().min(1).max(120).describe('Name of the role'),
          hoursSavedPerYear: z.number().min(0).max(1e9).describe('Hours saved, all its people'),
          yearlyCost: z
            .number()
            .min(0)
            .max(1e7)
            .nullable()
            .describe('Full cost of one position a year; without it the role has no money figures'),
        }),
      )
      .min(1)
      .max(50)
      .describe('The roles that save time'),
    workingHoursPerYear: z
      .number()
      .min(100)
      .max(4000)
      .nullable()
      .describe('Hours in a full-time contract a year, before absence (2080)'),
    absencePercent: percent(90).describe('Holidays, illness and training, in percent (15)'),
    rampUpMonths: z
      .number()
      .min(0)
      .max(60)
      .nullable()
      .describe('Months until the saving is fully there, built up evenly (6)'),
    redeploymentPercent: percent(100).describe(
      'Share of the saved time that can be put to other use, in percent (70)',
    ),
    uncertaintyPercent: percent(100).describe('How far off the expected figure may be (25)'),
  }),
  outputSchema: z.object({
    summary: z.object({
      fteLow: z.number(),
      fteExpected: z.number(),
      fteHigh: z.number(),
      fteFirstYear: z.number().describe('Expected average over the first twelve months'),
      costLow: z.number().nullable(),
      costExpected: z
        .number()
        .nullable()
        .describe('A year, of roles with a cost; null without any'),
      costHigh: z.number().nullable(),
      costFirstYear: z.number().nullable(),
      productiveHoursPerFte: z.number(),
    }),
    roles: z.array(
      z.object({
        role: z.string(),
        hoursSavedPerYear: z.number(),
        fteGross: z.number().describe('If every saved minute could be used'),
        fteLow: z.number(),
        fteExpected: z.number(),
        fteHigh: z.number(),
        costExpected: z.number().nullable(),
      }),
    ),
    chart: z.array(
      z.object({ label: z.string(), low: z.number(), expected: z.number(), high: z.number() }),
    ),
  }),
  examples: [
    {
      label: 'Two roles with cost',
      input: {
        roles: [
          { role: 'Clerk', hoursSavedPerYear: 3400, yearlyCost: 60_000 },
          { role: 'Team lead', hoursSavedPerYear: 425, yearlyCost: 90_000 },
        ],
        workingHoursPerYear: 2000,
        absencePercent: 15,
        rampUpMonths: 6,
        redeploymentPercent: 80,
        uncertaintyPercent: 20,
      },
    },
    {
      label: 'Hours only, usual conditions',
      input: {
        roles: [{ role: 'Support', hoursSavedPerYear: 5000, yearlyCost: null }],
        workingHoursPerYear: null,
        absencePercent: null,
        rampUpMonths: null,
        redeploymentPercent: null,
        uncertaintyPercent: null,
      },
    },
  ],
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'chart', label: 'Range by role', type: 'chart' },
    { key: 'roles', label: 'Roles', type: 'table' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'fteExpected', label: 'Expected', unit: 'FTE' },
          { key: 'fteLow', label: 'At least', unit: 'FTE' },
          { key: 'fteHigh', label: 'At most', unit: 'FTE' },
          { key: 'fteFirstYear', label: 'In the first year', unit: 'FTE' },
          { key: 'costExpected', label: 'Worth, expected', format: 'currency', digits: 0 },
          { key: 'costLow', label: 'Worth at least', format: 'currency', digits: 0 },
          { key: 'costHigh', label: 'Worth at most', format: 'currency', digits: 0 },
          { key: 'costFirstYear', label: 'Worth, first year', format: 'currency', digits: 0 },
          { key: 'productiveHoursPerFte', label: 'Productive hours per FTE', format: 'integer' },
        ],
      },
      { path: 'chart', chart: { kind: 'bar', x: 'label', unit: 'FTE' } },
      {
        path: 'roles',
        columns: [
          { key: 'role' },
          { key: 'hoursSavedPerYear', label: 'Hours saved a year', format: 'integer' },
          { key: 'fteGross', label: 'FTE, gross' },
          { key: 'fteLow', label: 'At least' },
          { key: 'fteExpected', label: 'Expected' },
          { key: 'fteHigh', label: 'At most' },
          { key: 'costExpected', label: 'Worth', format: 'currency', digits: 0 },
        ],
      },
    ],
  },

  execute(input) {
    const conditions = {
      workingHoursPerYear: input.workingHoursPerYear ?? 2080,
      absence: (input.absencePercent ?? 15) / 100,
      rampUpMonths: input.rampUpMonths ?? 6,
      redeployment: (input.redeploymentPercent ?? 70) / 100,
      uncertainty: (input.uncertaintyPercent ?? 25) / 100,
    }
    const roles = input.roles.map((role) => measureRole(role, conditions))
    return {
      summary: {
        ...totals(roles, firstYearShare(conditions.rampUpMonths)),
        productiveHoursPerFte: round(productiveHours(conditions)),
      },
      roles: roles.map(({ role, hoursSavedPerYear, gross, fte, cost }) => ({
        role,
        hoursSavedPerYear,
        fteGross: round(gross),
        fteLow: round(fte.low),
        fteExpected: round(fte.expected),
        fteHigh: round(fte.high),
        costExpected: cost && round(cost.expected),
      })),
      chart: roles.map(({ role, fte }) => ({
        label: role,
        low: round(fte.low),
        expected: round(fte.expected),
        high: round(fte.high),
      })),
    }
  },
})

interface Role {
  role: string
  hoursSavedPerYear: number
  yearlyCost: number | null
}

interface MeasuredRole extends Role {
  gross: number
  fte: FteRange
  cost: FteRange | null
}

function measureRole(role: Role, conditions: FteConditions): MeasuredRole {
  const fte = freedFte(role.hoursSavedPerYear, conditions)
  return {
    ...role,
    gross: grossFte(role.hoursSavedPerYear, conditions),
    fte,
    cost: role.yearlyCost === null ? null : scaleRange(fte, role.yearlyCost),
  }
}

/** Sums of exact figures, rounded once: rounding by role first would drift with many small roles. */
function totals(roles: readonly MeasuredRole[], firstYear: number) {
  const fte = addRanges(roles.map((role) => role.fte))
  const costs = roles.flatMap((role) => role.cost ?? [])
  const cost = costs.length === 0 ? null : addRanges(costs)
  return {
    fteLow: round(fte.low),
    fteExpected: round(fte.expected),
    fteHigh: round(fte.high),
    fteFirstYear: round(fte.expected * firstYear),
    costLow: cost && round(cost.low),
    costExpected: cost && round(cost.expected),
    costHigh: cost && round(cost.high),
    costFirstYear: cost && round(cost.expected * firstYear),
  }
}

function addRanges(ranges: readonly FteRange[]): FteRange {
  return {
    low: sum(ranges.map(({ low }) => low)),
    expected: sum(ranges.map(({ expected }) => expected)),
    high: sum(ranges.map(({ high }) => high)),
  }
}

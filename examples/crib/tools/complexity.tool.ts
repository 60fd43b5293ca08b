import { defineTool, ToolError, z } from 'toolcrib'
import {
  complexityDrivers,
  complexityScore,
  effortDays,
  regulations,
  scoreDrivers,
  sizeClasses,
  sizeOf,
} from '../lib/complexity.ts'
import type { ComplexityFactors } from '../lib/complexity.ts'
import { percentOf, round } from '../lib/rounding.ts'

/** Complexity estimate: how large an automation or integration is before anybody has built it. */
export default defineTool({
  name: 'analysis.complexity',
  title: 'Complexity estimate',
  description:
    'Estimate how complex an automation or integration is: a score, a size S to XL, a range of person-days, what drives it and the risks. ' +
    'Use it for a first estimate before a project is planned; it does not replace an offer. ' +
    'When the steps of the process are known, call analysis.process-scoper first and estimate its first slice.',
  icon: 'puzzle',
  effect: 'read',
  inputSchema: z.object({
    systems: z.int().min(1).max(100).describe('How many systems must be connected'),
    systemsWithoutInterface: z
      .int()
      .min(0)
      .max(100)
      .describe('How many of these have no usable interface (API, export)'),
    dataQuality: z
      .int()
      .min(1)
      .max(5)
      .describe('1 = gaps and contradictions everywhere, 5 = clean and complete'),
    rules: z.int().min(0).max(10_000).describe('How many business rules or decisions it follows'),
    exceptionPercent: z
      .number()
      .min(0)
      .max(100)
      .describe('Share of cases that do not follow the rules, in percent'),
    regulation: z
      .enum(regulations)
      .describe(
        'none; internal = own policies; sector = rules of the industry or personal data; strict = audited or licensed',
      ),
    peopleAffected: z
      .int()
      .min(0)
      .max(1_000_000)
      .describe('How many people must work differently afterwards'),
  }),
  outputSchema: z.object({
    summary: z.object({
      score: z.number().min(0).max(100),
      size: z.enum(sizeClasses),
      lowDays: z.number(),
      expectedDays: z.number(),
      highDays: z.number(),
      mainDriver: z.enum(complexityDrivers).nullable().describe('Null when nothing drives it'),
    }),
    drivers: z.array(
      z.object({
        rank: z.int(),
        name: z.enum(complexityDrivers),
        points: z.number(),
        maximum: z.number(),
        sharePercent: z.number().describe('Share of the whole score'),
      }),
    ),
    risks: z.array(
      z.object({
        severity: z.enum(['high', 'medium']),
        risk: z.string(),
        mitigation: z.string(),
      }),
    ),
  }),
  examples: [
    {
      label: 'Two systems, clean data',
      input: {
        systems: 2,
        systemsWithoutInterface: 0,
        dataQuality: 5,
        rules: 5,
        exceptionPercent: 4,
        regulation: 'none',
        peopleAffected: 0,
      },
    },
    {
      label: 'Claims handling across five systems',
      input: {
        systems: 5,
        systemsWithoutInterface: 2,
        dataQuality: 2,
        rules: 60,
        exceptionPercent: 25,
        regulation: 'sector',
        peopleAffected: 150,
      },
    },
  ],
  sections: [
    { key: 'summary', label: 'Estimate', type: 'summary' },
    { key: 'drivers', label: 'What drives it', type: 'ranking' },
    { key: 'risks', label: 'Risks', type: 'table' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'size', tones: { S: 'good', M: 'neutral', L: 'caution', XL: 'bad' } },
          { key: 'expectedDays', label: 'Expected', unit: 'days' },
          { key: 'lowDays', label: 'At least', unit: 'days' },
          { key: 'highDays', label: 'At most', unit: 'days' },
          { key: 'score', unit: 'of 100' },
          { key: 'mainDriver', label: 'Driven by' },
        ],
      },
      {
        path: 'drivers',
        ranking: { by: 'points', label: 'name' },
        columns: [
          { key: 'points' },
          { key: 'maximum', label: 'of at most' },
          { key: 'sharePercent', label: 'Share', format: 'percent' },
        ],
      },
      {
        path: 'risks',
        columns: [{ key: 'severity', tones: { high: 'bad', medium: 'caution' } }],
      },
    ],
  },

  execute(factors) {
    if (factors.systemsWithoutInterface > factors.systems) {
      throw new ToolError(
        'invalid_input',
        'More systems lack an interface than there are systems.',
        {
          issues: [{ path: '/systemsWithoutInterface', message: `must be <= ${factors.systems}` }],
          fix: 'Count the systems without an interface among the connected systems.',
        },
      )
    }
    const drivers = scoreDrivers(factors)
    // Size and effort follow the score as it is shown, so that the three never contradict each other.
    const score = round(complexityScore(factors), 1)
    const { low, expected, high } = effortDays(score)
    const top = drivers[0]
    return {
      summary: {
        score,
        size: sizeOf(score),
        lowDays: low,
        expectedDays: expected,
        highDays: high,
        mainDriver: top !== undefined && top.points > 0 ? top.driver : null,
      },
      drivers: drivers.map(({ driver, points, maximum }, index) => ({
        rank: index + 1,
        name: driver,
        points: round(points, 1),
        maximum,
        sharePercent: percentOf(points, score),
      })),
      risks: findRisks(factors),
    }
  },
})

interface RiskRule {
  /** How bad it is for these factors; undefined when it is no risk. */
  severity: (factors: ComplexityFactors) => 'high' | 'medium' | undefined
  risk: string
  mitigation: string
}

const riskRules: RiskRule[] = [
  {
    severity: ({ systemsWithoutInterface: count }) => atLeast(count, { medium: 1, high: 3 }),
    risk: 'Systems without an interface break silently when their screens change',
    mitigation: 'Ask the maker for an interface first; otherwise plan for watching and repair.',
  },
  {
    severity: ({ dataQuality }) => atLeast(5 - dataQuality, { medium: 2, high: 3 }),
    risk: 'Poor data makes results that nobody trusts',
    mitigation: 'Clean one data set and measure it before building on it.',
  },
  {
    severity: ({ exceptionPercent }) => atLeast(exceptionPercent, { medium: 10, high: 25 }),
    risk: 'Exceptions eat up the saving',
    mitigation: 'Automate the regular cases and hand every other one to a person.',
  },
  {
    severity: ({ rules }) => atLeast(rules, { medium: 30, high: 100 }),
    risk: 'Rules contradict each other or are known to single people only',
    mitigation: 'Write the rules down with those who apply them, and test with past cases.',
  },
  {
    severity: ({ regulation }) => atLeast(regulations.indexOf(regulation), { medium: 2, high: 3 }),
    risk: 'Approval by compliance or an auditor comes late',
    mitigation: 'Bring them in before the first line is written, and record every decision.',
  },
  {
    severity: ({ peopleAffected }) => atLeast(peopleAffected, { medium: 25, high: 200 }),
    risk: 'People keep working the old way',
    mitigation: 'Start with one team that wants it, and plan time for training.',
  },
]

/** High ones first, then in the order of the rules. */
function findRisks(factors: ComplexityFactors) {
  const found = riskRules.flatMap(({ severity, risk, mitigation }) => {
    const level = severity(factors)
    return level === undefined ? [] : [{ severity: level, risk, mitigation }]
  })
  return found.toSorted((a, b) => a.severity.localeCompare(b.severity))
}

function atLeast(value: number, limits: { medium: number; high: number }) {
  if (value >= limits.high) return 'high'
  return value >= limits.medium ? 'medium' : undefined
}

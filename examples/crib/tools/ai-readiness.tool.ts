import { defineTool, ToolError, z } from 'toolcrib'
import { levelOf, overallScore, readinessLevels, scoreDimensions } from '../lib/readiness.ts'
import { readinessDimensions, readinessQuestions } from '../lib/readiness-questions.ts'
import type { ReadinessQuestion } from '../lib/readiness-questions.ts'
import { round } from '../lib/rounding.ts'

const answer = ({ question }: ReadinessQuestion) =>
  z.int().min(1).max(5).describe(`${question}: 1 = not at all or not known, 5 = fully`)
const weight = () => z.number().min(0).max(10).describe('How much it counts; 0 leaves it out')
const { data, processes, skills, technology, governance, culture } = readinessQuestions

const evenWeights = { data: 1, processes: 1, skills: 1, technology: 1, governance: 1, culture: 1 }

/** AI readiness: eighteen answers in six dimensions, a level, and the next step where it is weakest. */
export default defineTool({
  name: 'analysis.ai-readiness',
  title: 'AI readiness',
  description:
    'Score how ready an organisation is for AI in six dimensions (data, processes, skills, technology, governance, culture) ' +
    'and say what to do next, weakest first. Use it when somebody asks where to begin or why AI projects stall. ' +
    'Ask the questions, or set 1 where the answer is not known. For one single idea use analysis.quick-score instead.',
  icon: 'chart-radar',
  effect: 'read',
  inputSchema: z.object({
    data: z
      .object({
        available: answer(data.available),
        quality: answer(data.quality),
        access: answer(data.access),
      })
      .describe('Data'),
    processes: z
      .object({
        documented: answer(processes.documented),
        measured: answer(processes.measured),
        stable: answer(processes.stable),
      })
      .describe('Processes'),
    skills: z
      .object({
        users: answer(skills.users),
        builders: answer(skills.builders),
        leaders: answer(skills.leaders),
      })
      .describe('Skills'),
    technology: z
      .object({
        integration: answer(technology.integration),
        platform: answer(technology.platform),
        security: answer(technology.security),
      })
      .describe('Technology'),
    governance: z
      .object({
        rules: answer(governance.rules),
        risk: answer(governance.risk),
        accountability: answer(governance.accountability),
      })
      .describe('Governance'),
    culture: z
      .object({
        openness: answer(culture.openness),
        sponsorship: answer(culture.sponsorship),
        learning: answer(culture.learning),
      })
      .describe('Culture'),
    weights: z
      .object({
        data: weight(),
        processes: weight(),
        skills: weight(),
        technology: weight(),
        governance: weight(),
        culture: weight(),
      })
      .nullable()
      .describe('How much each dimension counts (all the same)'),
  }),
  outputSchema: z.object({
    summary: z.object({
      score: z.number().min(0).max(100),
      level: z.enum(readinessLevels),
      meaning: z.string(),
      weakest: z.enum(readinessDimensions),
      strongest: z.enum(readinessDimensions),
    }),
    radar: z.array(z.object({ label: z.string(), score: z.number(), max: z.number() })),
    nextSteps: z.array(
      z.object({
        rank: z.int(),
        dimension: z.enum(readinessDimensions),
        score: z.number(),
        weight: z.number(),
        weakestQuestion: z.string(),
        nextStep: z.string(),
      }),
    ),
  }),
  examples: [
    {
      label: 'Good people, weak data',
      input: {
        data: { available: 2, quality: 1, access: 2 },
        processes: { documented: 3, measured: 2, stable: 3 },
        skills: { users: 4, builders: 3, leaders: 4 },
        technology: { integration: 3, platform: 3, security: 4 },
        governance: { rules: 2, risk: 2, accountability: 3 },
        culture: { openness: 5, sponsorship: 4, learning: 4 },
        weights: null,
      },
    },
    {
      label: 'A regulated house, governance counts double',
      input: {
        data: { available: 4, quality: 4, access: 3 },
        processes: { documented: 5, measured: 4, stable: 5 },
        skills: { users: 3, builders: 3, leaders: 3 },
        technology: { integration: 4, platform: 3, security: 5 },
        governance: { rules: 4, risk: 5, accountability: 4 },
        culture: { openness: 2, sponsorship: 3, learning: 2 },
        weights: { ...evenWeights, governance: 2 },
      },
    },
  ],
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'radar', label: 'Profile', type: 'radar' },
    { key: 'nextSteps', label: 'Next steps, weakest first', type: 'table' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'meaning' },
          { key: 'score', unit: 'of 100' },
          {
            key: 'level',
            tones: {
              Starting: 'bad',
              Exploring: 'caution',
              Building: 'caution',
              Scaling: 'good',
              Leading: 'good',
            },
          },
          { key: 'strongest' },
          { key: 'weakest' },
        ],
      },
      {
        path: 'radar',
        chart: { x: 'label', series: [{ key: 'score', label: 'Score' }], max: 100, unit: 'of 100' },
      },
      {
        path: 'nextSteps',
        kind: 'ranking',
        title: 'Scores, weakest first',
        ranking: { by: 'score', label: 'dimension', max: 100 },
      },
      {
        path: 'nextSteps',
        kind: 'table',
        title: 'Next steps, weakest first',
        columns: [
          { key: 'rank', label: '#' },
          { key: 'dimension' },
          { key: 'nextStep' },
          { key: 'weakestQuestion' },
          { key: 'score' },
          { key: 'weight' },
        ],
      },
    ],
  },

  execute({ weights, ...answers }) {
    const counted = weights ?? evenWeights
    if (Object.values(counted).every((value) => value === 0)) {
      throw new ToolError('invalid_input', 'All weights are 0, so nothing counts.', {
        issues: [{ path: '/weights', message: 'at least one weight must be above 0' }],
        fix: 'Give at least one dimension a weight above 0, or pass null to count all the same.',
      })
    }
    const scores = scoreDimensions(answers, counted)
    const weakestFirst = scores
      .filter((score) => score.weight > 0)
      .toSorted((a, b) => a.score - b.score || b.weight - a.weight)
    const overall = round(overallScore(scores), 1)
    return {
      summary: {
        score: overall,
        ...levelOf(overall),
        weakest: weakestFirst[0]?.dimension ?? 'data',
        strongest: weakestFirst.at(-1)?.dimension ?? 'data',
      },
      radar: scores.map(({ dimension, score }) => ({
        label: dimension,
        score: round(score, 1),
        max: 100,
      })),
      nextSteps: weakestFirst.map((dimension, index) => ({
        rank: index + 1,
        ...dimension,
        score: round(dimension.score, 1),
      })),
    }
  },
})

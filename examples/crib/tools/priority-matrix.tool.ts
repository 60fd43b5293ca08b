import { defineTool, z } from 'toolcrib'
import {
  asSingleVotes,
  averageRatings,
  mean,
  middleRating,
  prioritise,
  quadrants,
} from '../lib/priority.ts'
import type { PrioritisedItem } from '../lib/priority.ts'

const item = z.object({
  name: z.string().min(1).max(120).describe('What is to be done, in a few words'),
  impact: z
    .number()
    .min(1)
    .max(10)
    .describe('What it brings: 1 = hardly anything, 10 = a great deal'),
  effort: z.number().min(1).max(10).describe('What it takes: 1 = a day, 10 = a very large project'),
  confidencePercent: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe('How sure you are of the impact, in percent (100)'),
})
const threshold = z
  .number()
  .min(1)
  .max(10)
  .nullable()
  .describe(`From which rating on impact or effort counts as high (${middleRating})`)

/** What somebody handed in: their input, or the answer they got to it, which holds the same ratings. */
const submission = z.object({
  items: z.array(item.extend({ confidencePercent: item.shape.confidencePercent.default(null) })),
  threshold: threshold.default(null),
})

/** Priority matrix: impact against effort, alone or as a group. */
export default defineTool({
  name: 'analysis.priority-matrix',
  title: 'Priority matrix',
  description:
    'Sort ideas or tasks by impact and effort into quick wins, major projects, fill-ins and thankless ones, and rank them. ' +
    'Use it when there are several options and not everything can be done. ' +
    'Ratings come from the people involved: ask for them. For one idea alone use analysis.quick-score.',
  icon: 'layout-grid',
  effect: 'read',
  inputSchema: z.object({
    items: z.array(item).min(1).max(100).describe('The things to compare'),
    threshold,
  }),
  outputSchema: z.object({
    summary: z.object({
      startWith: z
        .string()
        .nullable()
        .describe('The best ranked quick win; null when there is none'),
      quickWins: z.int(),
      majorProjects: z.int(),
      fillIns: z.int(),
      thankless: z.int(),
    }),
    items: z.array(
      z.object({
        rank: z.int(),
        name: z.string(),
        impact: z.number(),
        effort: z.number(),
        confidencePercent: z.number(),
        quadrant: z.enum(quadrants),
        score: z.number().describe('Impact by confidence, divided by effort'),
        votes: z.int().describe('How many people rated it'),
        spread: z.number().describe('Widest disagreement on impact or effort, in points'),
      }),
    ),
    threshold: z.number(),
  }),
  examples: [
    {
      label: 'Four ideas',
      input: {
        items: [
          { name: 'Mail templates', impact: 7, effort: 2, confidencePercent: 90 },
          { name: 'Replace the ERP', impact: 9, effort: 10, confidencePercent: 60 },
          { name: 'Tidy the wiki', impact: 3, effort: 3, confidencePercent: null },
          { name: 'Own language model', impact: 4, effort: 9, confidencePercent: 30 },
        ],
        threshold: null,
      },
    },
    {
      label: 'A strict line between high and low',
      input: {
        items: [
          { name: 'Chatbot for customers', impact: 7, effort: 6, confidencePercent: 70 },
          { name: 'Search in contracts', impact: 8, effort: 4, confidencePercent: 80 },
        ],
        threshold: 7,
      },
    },
  ],
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'items', label: 'Ranking', type: 'ranking' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'startWith', label: 'Begin with' },
          { key: 'quickWins' },
          { key: 'majorProjects' },
          { key: 'fillIns', label: 'Fill-ins' },
          { key: 'thankless' },
        ],
      },
      {
        path: 'items',
        kind: 'ranking',
        ranking: { by: 'score', label: 'name' },
        columns: [
          { key: 'quadrant' },
          { key: 'impact' },
          { key: 'effort' },
          { key: 'confidencePercent', label: 'Confidence' },
        ],
      },
      {
        path: 'items',
        kind: 'chart',
        title: 'Impact against effort',
        chart: {
          kind: 'bar',
          x: 'name',
          series: [{ key: 'impact' }, { key: 'effort' }],
          max: 10,
        },
      },
      {
        path: 'threshold',
        kind: 'summary',
        title: 'High begins at',
        columns: [{ key: 'threshold', unit: 'of 10' }],
      },
    ],
  },
  collaborative: true,
  aggregate(submissions) {
    const read = submissions.flatMap((entry) => submission.safeParse(entry).data ?? [])
    const lines = read.flatMap((entry) => entry.threshold ?? [])
    const line = lines.length === 0 ? middleRating : mean(lines)
    return toOutput(prioritise(averageRatings(read.map(({ items }) => items)), line), line)
  },

  execute({ items, threshold: given }) {
    const line = given ?? middleRating
    return toOutput(prioritise(asSingleVotes(items), line), line)
  },
})

function toOutput(items: PrioritisedItem[], line: number) {
  const inQuadrant = (name: string) => items.filter(({ quadrant }) => quadrant === name)
  return {
    summary: {
      startWith: inQuadrant('quick win')[0]?.name ?? null,
      quickWins: inQuadrant('quick win').length,
      majorProjects: inQuadrant('major project').length,
      fillIns: inQuadrant('fill-in').length,
      thankless: inQuadrant('thankless').length,
    },
    items,
    threshold: line,
  }
}

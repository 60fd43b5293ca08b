import fc from 'fast-check'
import type { JsonValue } from 'toolcrib'
import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import priorityMatrix from './priority-matrix.tool.ts'

interface Matrix {
  summary: Record<string, number | string | null>
  items: { rank: number; name: string; quadrant: string; score: number }[]
  threshold: number
}

const ideas = [
  { name: 'Replace the ERP', impact: 9, effort: 10, confidencePercent: 60 },
  { name: 'Mail templates', impact: 7, effort: 2, confidencePercent: 90 },
  { name: 'Own language model', impact: 4, effort: 9, confidencePercent: 30 },
  { name: 'Tidy the wiki', impact: 3, effort: 3, confidencePercent: null },
]

test('four ideas fall into the four quadrants', async () => {
  const output = (await runTool(priorityMatrix, { items: ideas })).output
  expect(output.summary).toEqual({
    startWith: 'Mail templates',
    quickWins: 1,
    majorProjects: 1,
    fillIns: 1,
    thankless: 1,
  })
  expect(
    output.items.map(({ rank, name, quadrant, score }) => [rank, name, quadrant, score]),
  ).toEqual([
    [1, 'Mail templates', 'quick win', 3.15],
    [2, 'Tidy the wiki', 'fill-in', 1],
    [3, 'Replace the ERP', 'major project', 0.54],
    [4, 'Own language model', 'thankless', 0.13],
  ])
})

test('the line between high and low can be moved', async () => {
  const output = (await runTool(priorityMatrix, { items: ideas, threshold: 9.5 })).output
  expect(output.items.map(({ quadrant }) => quadrant)).toEqual([
    'fill-in',
    'fill-in',
    'thankless',
    'fill-in',
  ])
  expect([output.threshold, output.summary['startWith']]).toEqual([9.5, null])
})

test('equal scores keep the order in which they were given', async () => {
  const items = ['c', 'a', 'b'].map((name) => ({ name, impact: 4, effort: 2 }))
  const output = (await runTool(priorityMatrix, { items })).output
  expect(output.items.map(({ name }) => name)).toEqual(['c', 'a', 'b'])
})

test('submissions of a group are averaged, with the number of votes and the disagreement', () => {
  const aggregated = priorityMatrix.aggregate?.([
    { items: [{ name: 'Search', impact: 8, effort: 2, confidencePercent: 100 }], threshold: null },
    { items: [{ name: 'search', impact: 4, effort: 3, confidencePercent: 50 }], threshold: null },
    { nothing: 'of the kind' },
  ])
  expect(aggregated).toEqual({
    summary: { startWith: 'Search', quickWins: 1, majorProjects: 0, fillIns: 0, thankless: 0 },
    items: [
      {
        rank: 1,
        name: 'Search',
        impact: 6,
        effort: 2.5,
        confidencePercent: 75,
        quadrant: 'quick win',
        score: 1.8,
        votes: 2,
        spread: 4,
      },
    ],
    threshold: 5.5,
  })
})

test('answers can be handed in as well as inputs, and give the same', async () => {
  const inputs = [
    { items: ideas, threshold: 6 },
    { items: ideas.slice(1), threshold: 8 },
  ]
  const outputs: JsonValue[] = []
  for (const input of inputs) outputs.push((await runTool(priorityMatrix, input)).output)
  expect(priorityMatrix.aggregate?.(outputs)).toMatchObject({
    summary: { startWith: 'Mail templates' },
    threshold: 7,
  })
})

test('no submissions give an empty matrix', () => {
  expect(priorityMatrix.aggregate?.([])).toEqual({
    summary: { startWith: null, quickWins: 0, majorProjects: 0, fillIns: 0, thankless: 0 },
    items: [],
    threshold: 5.5,
  })
})

const rating = fc.integer({ min: 1, max: 10 })
const items = fc.array(
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 10 }),
    impact: rating,
    effort: rating,
    confidencePercent: fc.option(fc.nat(100)),
  }),
  { minLength: 1, maxLength: 20 },
)

test('every item is ranked once, best first, and counted in one quadrant', async () => {
  await fc.assert(
    fc.asyncProperty(items, async (given) => {
      const output = (await runTool(priorityMatrix, { items: given })).output
      const scores = output.items.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      expect(output.items.map(({ rank }) => rank)).toEqual(given.map((_, index) => index + 1))
      const { quickWins, majorProjects, fillIns, thankless } = output.summary
      const counted = [quickWins, majorProjects, fillIns, thankless].map(Number)
      expect(counted.reduce((total, count) => total + count, 0)).toBe(given.length)
    }),
  )
})

test('a group that agrees gets the matrix of one', async () => {
  await fc.assert(
    fc.asyncProperty(items, async (given) => {
      const names = given.map((item, index) => ({ ...item, name: `item ${index}` }))
      const alone = (await runTool(priorityMatrix, { items: names })).output
      const group = priorityMatrix.aggregate?.([
        { items: names },
        { items: names },
      ]) as unknown as Matrix
      const ranked = ({ items: all }: Matrix) =>
        all.map(({ name, quadrant, score }) => [name, quadrant, score])
      expect(ranked(group)).toEqual(ranked(alone))
    }),
  )
})

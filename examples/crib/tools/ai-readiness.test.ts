import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import aiReadiness from './ai-readiness.tool.ts'

/** The same answer to all three questions of each dimension, in the order of the dimensions. */
function answers(values: readonly number[]) {
  const [data = 1, processes = 1, skills = 1, technology = 1, governance = 1, culture = 1] = values
  return {
    data: { available: data, quality: data, access: data },
    processes: { documented: processes, measured: processes, stable: processes },
    skills: { users: skills, builders: skills, leaders: skills },
    technology: { integration: technology, platform: technology, security: technology },
    governance: { rules: governance, risk: governance, accountability: governance },
    culture: { openness: culture, sponsorship: culture, learning: culture },
  }
}
const weights = { data: 1, processes: 1, skills: 1, technology: 1, governance: 1, culture: 1 }

test('answers from 1 to 5 become scores from 0 to 100, weakest first', async () => {
  const output = (await runTool(aiReadiness, answers([1, 2, 3, 4, 5, 3]))).output
  expect(output.summary).toEqual({
    score: 50,
    level: 'Building',
    meaning: 'Chosen uses can succeed: run two or three with care.',
    weakest: 'data',
    strongest: 'governance',
  })
  expect(output.radar).toEqual([
    { label: 'data', score: 0, max: 100 },
    { label: 'processes', score: 25, max: 100 },
    { label: 'skills', score: 50, max: 100 },
    { label: 'technology', score: 75, max: 100 },
    { label: 'governance', score: 100, max: 100 },
    { label: 'culture', score: 50, max: 100 },
  ])
  expect(output.nextSteps.map(({ rank, dimension }) => [rank, dimension])).toEqual([
    [1, 'data'],
    [2, 'processes'],
    [3, 'skills'],
    [4, 'culture'],
    [5, 'technology'],
    [6, 'governance'],
  ])
})

test('the next step is for the lowest answer, and a good dimension is only kept', async () => {
  const input = {
    ...answers([4, 4, 4, 4, 4, 4]),
    data: { available: 4, quality: 2, access: 3 },
  }
  const { nextSteps } = (await runTool(aiReadiness, input)).output
  expect(nextSteps.slice(0, 2)).toEqual([
    {
      rank: 1,
      dimension: 'data',
      score: 50,
      weight: 1,
      weakestQuestion: 'The data is correct, complete and up to date',
      nextStep:
        'Measure gaps and errors in one important data set, and name an owner who mends it.',
    },
    {
      rank: 2,
      dimension: 'processes',
      score: 75,
      weight: 1,
      weakestQuestion: 'The important processes are written down as they really run',
      nextStep: 'Keep it: look again in a year.',
    },
  ])
})

test('weights move the score, and a dimension with weight 0 gets no next step', async () => {
  const input = {
    ...answers([1, 5, 5, 5, 5, 5]),
    weights: { ...weights, data: 5, culture: 0 },
  }
  const { summary, nextSteps } = (await runTool(aiReadiness, input)).output
  // Four dimensions with 100 and weight 1, one with 0 and weight 5: 400 / 9.
  expect(summary.score).toBe(44.4)
  expect(nextSteps.map(({ dimension }) => dimension)).not.toContain('culture')
})

test('the lowest and the highest answers are the ends of the scale', async () => {
  const lowest = (await runTool(aiReadiness, answers([1, 1, 1, 1, 1, 1]))).output
  const highest = (await runTool(aiReadiness, answers([5, 5, 5, 5, 5, 5]))).output
  expect([lowest.summary.score, lowest.summary.level]).toEqual([0, 'Starting'])
  expect([highest.summary.score, highest.summary.level]).toEqual([100, 'Leading'])
})

test('weights that are all zero are refused with the way out', async () => {
  const input = {
    ...answers([3, 3, 3, 3, 3, 3]),
    weights: { data: 0, processes: 0, skills: 0, technology: 0, governance: 0, culture: 0 },
  }
  await expect(runTool(aiReadiness, input)).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: '/weights' }],
  })
})

test('an answer outside of 1 to 5 is refused', async () => {
  await expect(runTool(aiReadiness, answers([0, 6, 3, 3, 3, 3]))).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

test('the score lies between the weakest and the strongest dimension', async () => {
  const answer = fc.integer({ min: 1, max: 5 })
  const weight = fc.integer({ min: 1, max: 10 })
  const given = fc.record({ data: weight, processes: weight, skills: weight, technology: weight })
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 6, maxLength: 6 }),
      given,
      async (values, some) => {
        const input = { ...answers(values), weights: { ...weights, ...some } }
        const { summary, nextSteps } = (await runTool(aiReadiness, input)).output
        const scores = nextSteps.map(({ score }) => score)
        expect(scores).toEqual(scores.toSorted((a, b) => a - b))
        expect(summary.score).toBeGreaterThanOrEqual(scores[0] ?? 0)
        expect(summary.score).toBeLessThanOrEqual(scores.at(-1) ?? 100)
      },
    ),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import quickScore from './quick-score.tool.ts'

const all = (value: number) => ({
  volume: value,
  rules: value,
  digital: value,
  stability: value,
  value,
})
const lightOf = async (input: object) => {
  const { summary } = (await runTool(quickScore, input)).output
  return [summary.score, summary.light, summary.nextTool]
}

test('a clear candidate is green and goes on to the return on investment', async () => {
  expect((await runTool(quickScore, { ...all(4), volume: 5, value: 5 })).output).toEqual({
    summary: {
      score: 85,
      light: 'green',
      sentence:
        'A good candidate: work out what it returns. Its weakest point is the clarity of its rules.',
      nextTool: 'analysis.roi',
      weakest: 'rules',
    },
    answers: [
      { question: 'rules', answer: 4 },
      { question: 'digital', answer: 4 },
      { question: 'stability', answer: 4 },
      { question: 'volume', answer: 5 },
      { question: 'value', answer: 5 },
    ],
  })
})

test('the lights change at 40 and 70', async () => {
  const lights = []
  for (const input of [
    all(1),
    { ...all(2), volume: 4 },
    { ...all(3), volume: 1 },
    { ...all(4), volume: 2 },
    { ...all(4), volume: 3 },
    all(5),
  ]) {
    lights.push(await lightOf(input))
  }
  expect(lights).toEqual([
    [0, 'red', 'analysis.ai-readiness'],
    [35, 'red', 'analysis.ai-readiness'],
    [40, 'amber', 'analysis.process-scoper'],
    [65, 'amber', 'analysis.process-scoper'],
    [70, 'green', 'analysis.roi'],
    [100, 'green', 'analysis.roi'],
  ])
})

test('one blocking answer keeps even the best idea from green', async () => {
  expect(await lightOf({ ...all(5), digital: 1 })).toEqual([80, 'amber', 'analysis.process-scoper'])
})

test('half an answer and a missing one are refused', async () => {
  await expect(runTool(quickScore, { ...all(3), rules: 2.5 })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  await expect(runTool<unknown, unknown>(quickScore, { volume: 3 })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

test('a better answer never lowers the score or the light', async () => {
  const answer = fc.integer({ min: 1, max: 5 })
  const answers = fc.record({
    volume: answer,
    rules: answer,
    digital: answer,
    stability: answer,
    value: answer,
  })
  const lights = ['red', 'amber', 'green']
  await fc.assert(
    fc.asyncProperty(answers, async (given) => {
      const before = (await runTool(quickScore, given)).output.summary
      const better = { ...given, rules: Math.min(5, given.rules + 1) }
      const after = (await runTool(quickScore, better)).output.summary
      expect(after.score).toBeGreaterThanOrEqual(before.score)
      expect(lights.indexOf(after.light)).toBeGreaterThanOrEqual(lights.indexOf(before.light))
    }),
  )
})

import { expect, test } from 'vitest'
import { readinessDimensions, readinessQuestions } from './readiness-questions.ts'
import { levelOf, overallScore } from './readiness.ts'

test('every level begins at its own line', () => {
  const scores = [0, 19.9, 20, 39.9, 40, 59.9, 60, 79.9, 80, 100]
  expect(scores.map((score) => levelOf(score).level)).toEqual([
    'Starting',
    'Starting',
    'Exploring',
    'Exploring',
    'Building',
    'Building',
    'Scaling',
    'Scaling',
    'Leading',
    'Leading',
  ])
})

test('a dimension without weight does not count', () => {
  const other = { weakestQuestion: '', nextStep: '' }
  expect(
    overallScore([
      { dimension: 'data', score: 80, weight: 3, ...other },
      { dimension: 'skills', score: 40, weight: 1, ...other },
      { dimension: 'culture', score: 0, weight: 0, ...other },
    ]),
  ).toBe(70)
})

test('each of the six dimensions asks three questions and has a step for each', () => {
  const questions = readinessDimensions.flatMap((name) => Object.values(readinessQuestions[name]))
  expect(readinessDimensions).toHaveLength(6)
  expect(questions).toHaveLength(18)
  expect(new Set(questions.map(({ nextStep }) => nextStep)).size).toBe(18)
})

import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import complexity from './complexity.tool.ts'

const claims = {
  systems: 5,
  systemsWithoutInterface: 2,
  dataQuality: 2,
  rules: 60,
  exceptionPercent: 25,
  regulation: 'sector',
  peopleAffected: 150,
}
const easiest = {
  systems: 1,
  systemsWithoutInterface: 0,
  dataQuality: 5,
  rules: 0,
  exceptionPercent: 0,
  regulation: 'none',
  peopleAffected: 0,
}

test('claims handling across five systems is very large', async () => {
  const { summary, drivers, risks } = (await runTool(complexity, claims)).output
  // 25 + 15 + 15 + 9.375 + 7.5 + 6 = 77.875 points.
  expect(summary).toEqual({
    score: 77.9,
    size: 'XL',
    lowDays: 66.5,
    expectedDays: 95.8,
    highDays: 174.7,
    mainDriver: 'systems',
  })
  expect(drivers.slice(0, 3)).toEqual([
    { rank: 1, name: 'systems', points: 25, maximum: 25, sharePercent: 32.1 },
    { rank: 2, name: 'data quality', points: 15, maximum: 20, sharePercent: 19.3 },
    { rank: 3, name: 'rules', points: 15, maximum: 20, sharePercent: 19.3 },
  ])
  expect(risks.map(({ severity }) => severity)).toEqual([
    'high',
    'high',
    'medium',
    'medium',
    'medium',
    'medium',
  ])
})

test('the easiest case is small, has no driver and no risk', async () => {
  expect((await runTool(complexity, easiest)).output).toEqual({
    summary: {
      score: 0,
      size: 'S',
      lowDays: 3.4,
      expectedDays: 4,
      highDays: 4.8,
      mainDriver: null,
    },
    drivers: [
      { rank: 1, name: 'systems', points: 0, maximum: 25, sharePercent: 0 },
      { rank: 2, name: 'data quality', points: 0, maximum: 20, sharePercent: 0 },
      { rank: 3, name: 'rules', points: 0, maximum: 20, sharePercent: 0 },
      { rank: 4, name: 'exceptions', points: 0, maximum: 15, sharePercent: 0 },
      { rank: 5, name: 'regulation', points: 0, maximum: 10, sharePercent: 0 },
      { rank: 6, name: 'change', points: 0, maximum: 10, sharePercent: 0 },
    ],
    risks: [],
  })
})

test('the hardest case reaches the end of the scale and lists every risk as high', async () => {
  const hardest = {
    systems: 100,
    systemsWithoutInterface: 100,
    dataQuality: 1,
    rules: 10_000,
    exceptionPercent: 100,
    regulation: 'strict',
    peopleAffected: 1_000_000,
  }
  const { summary, risks } = (await runTool(complexity, hardest)).output
  expect(summary).toMatchObject({ score: 100, size: 'XL', lowDays: 153.4, highDays: 471.9 })
  expect(new Set(risks.map(({ severity }) => severity))).toEqual(new Set(['high']))
  expect(risks).toHaveLength(6)
})

test('more systems without an interface than systems is refused with the way out', async () => {
  const input = { ...easiest, systemsWithoutInterface: 2 }
  await expect(runTool(complexity, input)).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: '/systemsWithoutInterface', message: 'must be <= 1' }],
  })
})

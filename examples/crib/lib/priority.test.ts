import { expect, test } from 'vitest'
import { asSingleVotes, averageRatings, prioritise } from './priority.ts'

const rated = (name: string, impact: number, effort: number) => ({
  name,
  impact,
  effort,
  confidencePercent: null,
})

test('a rating on the line counts as high', () => {
  const items = asSingleVotes([rated('a', 5.5, 5.4), rated('b', 5.5, 5.5), rated('c', 5.4, 5.5)])
  expect(prioritise(items, 5.5).map(({ name, quadrant }) => [name, quadrant])).toEqual([
    ['a', 'quick win'],
    ['b', 'major project'],
    ['c', 'thankless'],
  ])
})

test('ratings are averaged over those who gave one, whatever the case of the name', () => {
  const first = { name: ' Search ', impact: 8, effort: 2, confidencePercent: 50 }
  const second = { name: 'SEARCH', impact: 5, effort: 6, confidencePercent: null }
  expect(averageRatings([[first, rated('Other', 1, 1)], [second]])).toEqual([
    { name: 'Search', impact: 6.5, effort: 4, confidencePercent: 75, votes: 2, spread: 4 },
    { name: 'Other', impact: 1, effort: 1, confidencePercent: 100, votes: 1, spread: 0 },
  ])
})

test('no submissions give no items', () => {
  expect(averageRatings([])).toEqual([])
})

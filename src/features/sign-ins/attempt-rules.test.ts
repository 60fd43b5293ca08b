import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countAttempt, forgetMs, longestWaitMs } from './attempt-rules.ts'
import type { AttemptState } from './attempt-rules.ts'

/** Attempts at these times, with their results. */
function tryAt(times: readonly number[], free: number): (number | 'tried')[] {
  let state: AttemptState | undefined
  return times.map((now) => {
    const next = countAttempt(state, free, now)
    if ('retryAfterMs' in next) return next.retryAfterMs
    state = next.state
    return 'tried'
  })
}

test('the free tries cost nothing, and each further one doubles the wait', () => {
  expect(tryAt([0, 0, 0, 0, 1000, 1000, 3000, 3000], 2)).toEqual([
    'tried',
    'tried',
    'tried',
    1000,
    'tried',
    2000,
    'tried',
    4000,
  ])
})

test('a day after the last failure all is forgotten', () => {
  const times = [0, 0, 0, forgetMs + 1, forgetMs + 1, forgetMs + 1]
  expect(tryAt(times, 2)).toEqual(['tried', 'tried', 'tried', 'tried', 'tried', 'tried'])
})

test('however often a person tries, they may retry within five minutes, and never more than the bound', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 200 })
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 20 }), (gaps, free) => {
      let now = 0
      const times = gaps.map((gap) => (now += gap))
      const answers = tryAt(times, free)
      const waits = answers.filter((answer) => answer !== 'tried')
      expect(waits.every((wait) => wait > 0 && wait <= longestWaitMs)).toBe(true)
      // In any five minutes, free tries and those between waits of 1, 2, 4 … seconds: no more.
      const tried = times.filter((_, at) => answers[at] === 'tried')
      const most = free + 10
      for (const start of tried) {
        const within = tried.filter((time) => time >= start && time < start + longestWaitMs)
        expect(within.length).toBeLessThanOrEqual(most)
      }
    }),
  )
})

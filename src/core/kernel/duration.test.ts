import { expect, test } from 'vitest'
import { toDurationMs } from './duration.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['1.5h', 5_400_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
])('%s is %i milliseconds', (text, ms) => {
  expect(toDurationMs(text)).toBe(ms)
})

test.each(['', '5', 'm', '1x', '-1s', '0s', '1h 30m', '1h30', '1.2345s'])(
  '%j is not a duration',
  (text) => {
    expect(toDurationMs(text)).toBeUndefined()
  },
)

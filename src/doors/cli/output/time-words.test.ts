import { expect, test } from 'vitest'
import { toLocalTime, toTimeWords } from './time-words.ts'

/** A moment on the clock of this machine, in any time zone. */
const local = (text: string) => new Date(text).getTime()
const now = local('2026-11-13T10:00:00')

test.each([
  ['2026-11-13T09:59:00', 'now'],
  ['2026-11-13T10:00:00.400', 'in 1 s'],
  ['2026-11-13T10:00:45', 'in 45 s'],
  ['2026-11-13T10:12:20', 'in 12 min'],
  ['2026-11-13T23:59:00', 'today 23:59'],
  ['2026-11-14T00:00:00', 'tomorrow 00:00'],
  ['2026-11-16T09:00:00', 'Mon 09:00'],
  ['2026-11-20T09:00:00', '2026-11-20 09:00'],
])('%s is %s', (time, words) => {
  expect(toTimeWords(new Date(local(time)).toISOString(), now)).toBe(words)
})

test('text that is not a time becomes empty', () => {
  expect([toTimeWords('soon', now), toLocalTime('soon')]).toEqual(['', ''])
})

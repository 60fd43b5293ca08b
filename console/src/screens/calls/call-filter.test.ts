import { expect, test } from 'vitest'
import { toCallQuery, toTime } from './call-filter.ts'

const now = Date.parse('2026-11-15T12:00:00Z')

test('a time of the address is one, or so long ago', () => {
  expect(toTime('24h', now)).toBe('2026-11-14T12:00:00.000Z')
  expect(toTime('7d', now)).toBe('2026-11-08T12:00:00.000Z')
  expect(toTime('2026-11-01', now)).toBe('2026-11-01T00:00:00.000Z')
  expect(toTime('soon', now)).toBeUndefined()
  expect(toTime(undefined, now)).toBeUndefined()
})

test('what the address says wrong is not asked for', () => {
  expect(toCallQuery({ status: 'great', from: 'never', tool: 'a.b' }, now)).toEqual({ tool: 'a.b' })
})

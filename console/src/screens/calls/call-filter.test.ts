import { expect, test } from 'vitest'
import { toCallQuery, toTime } from './call-filter.ts'

const now = Date.parse('2026-11-15T12:00:00Z')

test('a time in the address is absolute, or an age', () => {
  expect(toTime('24h', now)).toBe('2026-11-14T12:00:00.000Z')
  expect(toTime('7d', now)).toBe('2026-11-08T12:00:00.000Z')
  expect(toTime('2026-11-01', now)).toBe('2026-11-01T00:00:00.000Z')
  expect(toTime('soon', now)).toBeUndefined()
  expect(toTime(undefined, now)).toBeUndefined()
})

test('invalid filters of the address are ignored', () => {
  expect(toCallQuery({ status: 'great', from: 'never', tool: 'a.b' }, now)).toEqual({ tool: 'a.b' })
})

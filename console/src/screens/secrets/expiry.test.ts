import { expect, test } from 'vitest'
import { toDay, toExpiry, toMoment } from './expiry.ts'

test('a day is valid until its end, and is read back as the same day', () => {
  for (const day of ['2026-11-16', '2028-02-29', '2026-12-31', '2026-03-29', '2026-10-25']) {
    const moment = toMoment(day)
    expect([moment === null, toDay(moment ?? '')]).toEqual([false, day])
  }
  expect([toMoment(''), toMoment('soon'), toDay(undefined)]).toEqual([null, null, ''])
})

test('expired, expiring soon and valid are distinguished', () => {
  const now = Date.parse('2026-11-16T00:00:00Z')
  const states = ['2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z', '2026-11-30T00:00:00Z']
  expect(states.map((at) => toExpiry(at, now).state)).toEqual(['expired', 'expired', 'soon'])
  expect(toExpiry('2026-11-30T00:00:01Z', now).state).toBe('later')
})

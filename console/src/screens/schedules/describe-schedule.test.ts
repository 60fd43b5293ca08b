import { expect, test } from 'vitest'
import { describeCron, describeInterval, describeSchedule } from './describe-schedule.ts'

test.each([
  ['0 9 * * 1-5', 'Monday to Friday at 09:00'],
  ['0 9 * * MON-FRI', 'Monday to Friday at 09:00'],
  ['30 6,18 * * *', 'Every day at 06:30 and 18:30'],
  ['@daily', 'Every day at 00:00'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['5 * * * *', 'Every hour at 05 past'],
  ['0 */6 * * *', 'Every 6 hours on the hour'],
  ['0 0 1 * *', 'On day 1 of the month at 00:00'],
  ['0 0 L * *', 'On the last day of the month at 00:00'],
  ['0 8 * 1,7 0', 'Every Sunday at 08:00 in January and July'],
  ['0 0 9 * * 1', 'Every Monday at 09:00'],
  ['* * * * *', 'Every minute'],
])('%s is described as %s', (cron, words) => {
  expect(describeCron(cron)).toBe(words)
})

test.each(['0 9 13 * 5', '5#2 * * * *', '*/10 0 9 * * *', 'nonsense', '', '61 9 * * *'])(
  '%s has no plain description, and none is invented',
  (cron) => {
    expect(describeCron(cron)).toBeUndefined()
  },
)

test('intervals and single times have a description too', () => {
  expect(describeInterval('15m')).toBe('15 minutes')
  expect(describeInterval('1h30m')).toBe('1 hour 30 minutes')
  expect(describeSchedule({ every: '1d', from: '2026-01-01T00:00:00Z' })).toBe('Every day')
  expect(describeSchedule({ at: '2026-01-01T00:00:00Z' })).toBe('Once')
  expect(describeSchedule({ cron: '5#2 * * * *', timezone: 'UTC' })).toBe('At 5#2 * * * *')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatTimeAgo } from './format-time-ago.ts'

const noon = new Date(2026, 10, 17, 12, 0, 0).getTime()
const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).getTime()
const day = 86_400_000

test.each([
  [noon + 400, 'now'],
  [noon - 12_000, '12s ago'],
  [noon + 59_400, 'in 59s'],
  [noon - 90_000, '2 min ago'],
  [noon + 23 * 3_600_000, 'in 23 h'],
  [noon + 7 * day, 'in 7 days'],
  [noon + 7 * day - 1000, 'in 7 days'],
  [noon + 30 * day, 'in 30 days'],
  [noon + 90 * day, 'in 3 months'],
  [noon - 400 * day, '13 months ago'],
  [noon + 730 * day, 'in 2 years'],
])('%i is %s', (moment, said) => {
  expect(formatTimeAgo(moment, noon)).toBe(said)
})

test('tomorrow and yesterday are days of the calendar', () => {
  expect(formatTimeAgo(at(19, 9), at(17, 20))).toBe('in 2 days')
  expect(formatTimeAgo(at(18, 23), at(17, 1))).toBe('tomorrow')
  expect(formatTimeAgo(at(15, 23), at(17, 1))).toBe('2 days ago')
  expect(formatTimeAgo(at(16, 1), at(17, 23))).toBe('yesterday')
})

const span = fc.integer({ min: -800 * day, max: 800 * day })
const moments = fc.integer({ min: noon - 400 * day, max: noon + 400 * day })

test('at any moment, the text is off by at most half of its unit', () => {
  fc.assert(
    fc.property(moments, span, (now, difference) => {
      const said = formatTimeAgo(now + difference, now)
      const [, number, unit] = /(\d+) ?(s|min|h|days|months|years)/.exec(said) ?? []
      if (number === undefined || unit === undefined) {
        expect(said).toMatch(/^(?:now|tomorrow|yesterday)$/)
        expect(Math.abs(difference)).toBeLessThan(2 * day + 3_600_000)
        return
      }
      expect(said.startsWith('in ')).toBe(difference > 0)
      const unitMs = { s: 1000, min: 60_000, h: 3_600_000, days: day }[unit] ?? 30.44 * day
      const years = unit === 'years' ? 12 : 1
      const error = Math.abs(Number(number) * unitMs * years - Math.abs(difference))
      // Days of the calendar differ from days of 24 hours by less than one, clock changes included.
      const most = unit === 'days' ? day + 3_600_000 : (unitMs * years) / 2 + day
      expect(error).toBeLessThanOrEqual(unit.length < 4 ? unitMs / 2 : most)
    }),
  )
})

test('tomorrow is used exactly for the next date, when it is more than a day away', () => {
  fc.assert(
    fc.property(moments, span, (now, difference) => {
      const next = new Date(now)
      next.setDate(next.getDate() + 1)
      const isNextDate = new Date(now + difference).toDateString() === next.toDateString()
      const isDayAway = Math.round(difference / 3_600_000) >= 24
      if (formatTimeAgo(now + difference, now) === 'tomorrow') expect(isNextDate).toBe(true)
      if (isNextDate && isDayAway) expect(formatTimeAgo(now + difference, now)).toBe('tomorrow')
    }),
  )
})

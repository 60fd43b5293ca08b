import { expect, test } from 'vitest'
import { ToolError } from '../../../core/kernel/errors.ts'
import { nextRun } from './next-run.ts'
import { parseWhen, toWhen, type WhenRequest } from './timing.ts'

const now = Date.parse('2026-11-15T12:00:00.500Z')

function next(when: WhenRequest, after = now, times = 1): string[] {
  const timing = parseWhen(when, now)
  const found: string[] = []
  for (let at = nextRun(timing, after); at !== undefined && found.length < times;) {
    found.push(new Date(at).toISOString())
    at = nextRun(timing, at)
  }
  return found
}

function refusal(when: WhenRequest): { code: string; path: string | undefined } | undefined {
  try {
    parseWhen(when, now)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    expect(error.fix).toBeDefined()
    return { code: error.code, path: error.issues[0]?.path }
  }
  return undefined
}

test.each<[string, WhenRequest, string]>([
  ['weekdays at nine', { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' }, '2026-11-16T08:00'],
  ['in UTC without a word', { cron: '30 13 * * *' }, '2026-11-15T13:30'],
  ['with seconds', { cron: '*/10 * * * * *' }, '2026-11-15T12:00:10'],
  ['by a short name', { cron: '@daily', timezone: 'UTC' }, '2026-11-16T00:00'],
  ['the last day of a month', { cron: '0 0 L * *' }, '2026-11-30T00:00'],
  ['a step from now', { every: '15m' }, '2026-11-15T12:15:00.500'],
  ['a compound step', { every: '1h30m' }, '2026-11-15T13:30:00.500'],
  ['steps from a date', { every: '1d', from: '2026-01-01T09:00:00+01:00' }, '2026-11-16T08:00'],
  ['steps from a coming date', { every: '1d', from: '2026-12-24T09:00Z' }, '2026-12-24T09:00'],
  ['a time from now', { at: '+20m' }, '2026-11-15T12:20:00.500'],
  ['a date with an offset', { at: '2026-12-01T09:00:00+01:00' }, '2026-12-01T08:00'],
  ['a local date', { at: '2026-12-01T09:00', timezone: 'Asia/Tokyo' }, '2026-12-01T00:00'],
  ['a day', { at: '2026-12-01', timezone: 'America/New_York' }, '2026-12-01T05:00'],
])('the next run: %s', (_what, when, expected) => {
  expect(next(when)[0]).toMatch(new RegExp(`^${expected}`))
})

test.each<[string, WhenRequest, string]>([
  ['nothing', {}, '/when'],
  ['two ways at once', { every: '1m', at: '+1m' }, '/when'],
  ['an empty cron', { cron: '' }, '/when/cron'],
  ['too few fields', { cron: '* * *' }, '/when/cron'],
  ['too many fields', { cron: '0 0 9 * * 1 2027' }, '/when/cron'],
  ['words', { cron: 'every day at nine sharp' }, '/when/cron'],
  ['an invalid minute', { cron: '60 * * * *' }, '/when/cron'],
  ['a step of nothing', { cron: '*/0 * * * *' }, '/when/cron'],
  ['chance', { cron: 'H * * * *' }, '/when/cron'],
  ['the 31st of February', { cron: '0 0 31 2 *' }, '/when/cron'],
  ['the 31st of months that have 30', { cron: '0 0 31 4,6 *' }, '/when/cron'],
  ['an endless text', { cron: `${'1,'.repeat(5000)}1 * * * *` }, '/when/cron'],
  ['an unknown zone', { cron: '0 9 * * *', timezone: 'Mars/Olympus' }, '/when/timezone'],
  ['the zone of the machine', { cron: '0 9 * * *', timezone: 'local' }, '/when/timezone'],
  ['half a second', { every: '500ms' }, '/when/every'],
  ['no time at all', { every: '0s' }, '/when/every'],
  ['a number without a unit', { every: '15' }, '/when/every'],
  ['a negative step', { every: '-5m' }, '/when/every'],
  ['two years', { every: '800d' }, '/when/every'],
  ['a zone for a step', { every: '15m', timezone: 'UTC' }, '/when/timezone'],
  ['a start for a cron', { cron: '0 9 * * *', from: '2026-12-01T09:00Z' }, '/when/from'],
  ['the past', { at: '2026-01-01T00:00:00Z' }, '/when/at'],
  ['now', { at: '+0s' }, '/when/at'],
  ['an invalid date', { at: '2027-02-30T00:00:00Z' }, '/when/at'],
  ['an invalid offset', { at: '2027-01-01T00:00+99:99' }, '/when/at'],
  ['a start with an invalid offset', { every: '1h', from: '2027-01-01T00:00+24:30' }, '/when/from'],
  ['a date without a zone', { at: '2026-12-01T09:00' }, '/when/at'],
  ['a far future', { at: '2999-01-01T00:00:00Z' }, '/when/at'],
  ['tomorrow', { at: 'tomorrow' }, '/when/at'],
])('refused with the place of the mistake: %s', (_what, when, path) => {
  expect(refusal(when)).toEqual({ code: 'invalid_request', path })
})

test('a leap day comes every four years, and after eight around 2100', () => {
  const after = Date.parse('2092-03-01T00:00:00Z')
  expect(next({ cron: '0 12 29 2 *' }, after, 3)).toEqual([
    '2096-02-29T12:00:00.000Z',
    '2104-02-29T12:00:00.000Z',
    '2108-02-29T12:00:00.000Z',
  ])
})

test('a time that the clock jumps over comes as much later, once', () => {
  const berlin = { cron: '30 2 * * *', timezone: 'Europe/Berlin' }
  expect(next(berlin, Date.parse('2027-03-27T12:00:00Z'), 2)).toEqual([
    '2027-03-28T01:30:00.000Z',
    '2027-03-29T00:30:00.000Z',
  ])
  const midnight = { cron: '0 0 * * *', timezone: 'America/Santiago' }
  expect(next(midnight, Date.parse('2026-09-05T12:00:00Z'), 2)).toEqual([
    '2026-09-06T04:00:00.000Z',
    '2026-09-07T03:00:00.000Z',
  ])
  const halfHour = { cron: '15 2 * * *', timezone: 'Australia/Lord_Howe' }
  expect(next(halfHour, Date.parse('2026-10-03T12:00:00Z'), 2)).toEqual([
    '2026-10-03T15:45:00.000Z',
    '2026-10-04T15:15:00.000Z',
  ])
})

test('a time that the clock shows twice comes once; every half hour keeps its pace', () => {
  const once = { cron: '30 2 * * *', timezone: 'Europe/Berlin' }
  expect(next(once, Date.parse('2026-10-24T12:00:00Z'), 2)).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ])
  const half = { cron: '45 1 * * *', timezone: 'Australia/Lord_Howe' }
  expect(next(half, Date.parse('2026-04-04T12:00:00Z'), 2)).toEqual([
    '2026-04-04T14:45:00.000Z',
    '2026-04-05T15:15:00.000Z',
  ])
  const often = { cron: '*/30 * * * *', timezone: 'Europe/Berlin' }
  expect(next(often, Date.parse('2026-10-25T00:00:00Z'), 4)).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:00:00.000Z',
    '2026-10-25T01:30:00.000Z',
    '2026-10-25T02:00:00.000Z',
  ])
})

test('the displayed timing parses back to the requested one at any time', () => {
  const given: WhenRequest[] = [
    { cron: ' 0 9 * * 1-5 ', timezone: 'Europe/Berlin' },
    { every: '90m' },
    { at: '+20m' },
  ]
  const shown = given.map((when) => toWhen(parseWhen(when, now)))
  expect(shown).toEqual([
    { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
    { every: '1h30m', from: '2026-11-15T12:00:00.500Z' },
    { at: '2026-11-15T12:20:00.500Z' },
  ])
  expect(shown.map((when) => toWhen(parseWhen(when, now + 60_000)))).toEqual(shown)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDurationMs, toDurationText } from '../../core/kernel/duration.ts'
import { countMissedTo, nextRun, planFire } from './timing/next-run.ts'
import { defaultRetries, retryDelayMs } from './retry-rule.ts'
import type { Timing } from './timing/timing.ts'
import { fromLocalMs, toLocalMs } from './timing/zone-time.ts'

const start = Date.parse('2024-01-01T00:00:00Z')
const moment = fc.integer({ min: 0, max: 3 * 366 * 86_400 * 1000 }).map((ms) => start + ms)
const timezone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
)
/** Within a day and a half of a moment when the clock is put forward or back in one of them. */
const nearShift = fc
  .tuple(
    fc.constantFrom(
      '2026-03-29T01:00:00Z',
      '2026-10-25T01:00:00Z',
      '2026-09-06T04:00:00Z',
      '2026-04-05T03:00:00Z',
      '2026-04-23T22:00:00Z',
      '2026-10-29T21:00:00Z',
      '2026-10-03T15:30:00Z',
      '2026-04-04T15:00:00Z',
    ),
    fc.integer({ min: -129_600, max: 129_600 }),
  )
  .map(([shift, seconds]) => Date.parse(shift) + seconds * 1000)
const minute = fc.constantFrom('0', '30', '*/7', '5,55', '*')
const hour = fc.constantFrom('0', '2', '*/6', '1-3', '*')
const day = fc.constantFrom('*', '1', '29', 'L')
const weekday = fc.constantFrom('*', '1-5', '0', 'MON')

const timing: fc.Arbitrary<Timing> = fc.oneof(
  fc.tuple(minute, hour, day, weekday, timezone).map(([m, h, d, w, zone]) => ({
    kind: 'cron' as const,
    cron: `${m} ${h} ${d} * ${w}`,
    timezone: zone,
  })),
  fc
    .tuple(fc.integer({ min: 1000, max: 86_400_000 }), moment)
    .map(([everyMs, anchorMs]) => ({ kind: 'every' as const, everyMs, anchorMs })),
  moment.map((atMs) => ({ kind: 'at' as const, atMs })),
)

const part = fc.double({ min: 0, max: 1, noNaN: true })

test('the next run always lies after the moment it is asked for, and nothing lies between', () => {
  fc.assert(
    fc.property(timing, fc.oneof(moment, nearShift), part, (when, after, part) => {
      const next = nextRun(when, after)
      if (next === undefined) return when.kind === 'at' && when.atMs <= after
      const between = Math.floor(after + (next - after) * part)
      if (next <= after) return false
      return between >= next || nextRun(when, between) === next
    }),
    { numRuns: 1500 },
  )
})

test('however long nobody looked, one run is made: for the latest time, and no moment is used twice', () => {
  fc.assert(
    fc.property(timing, moment, fc.integer({ min: 0, max: 40 * 86_400_000 }), (when, from, off) => {
      const first = nextRun(when, from)
      fc.pre(first !== undefined)
      if (first === undefined) return
      const now = first + off
      const { dueMs, missed, nextMs } = planFire(when, first, now)
      expect(dueMs).toBeGreaterThanOrEqual(first)
      expect(dueMs).toBeLessThanOrEqual(now)
      if (nextMs !== undefined) expect(nextMs).toBeGreaterThan(now)
      expect(missed === 0).toBe(dueMs === first)
      // Nothing that should have run lies between the run that is made and now.
      if (missed < countMissedTo) expect(nextRun(when, dueMs)).toBe(nextMs)
    }),
    { numRuns: 300 },
  )
})

test('missed times are counted exactly, up to a limit', () => {
  const hourly: Timing = { kind: 'every', everyMs: 3_600_000, anchorMs: start }
  expect(planFire(hourly, start, start + 5.5 * 3_600_000)).toEqual({
    dueMs: start + 5 * 3_600_000,
    missed: 5,
    nextMs: start + 6 * 3_600_000,
  })
  const often: Timing = { kind: 'cron' as const, cron: '* * * * * *', timezone: 'UTC' }
  expect(planFire(often, start, start + 365 * 86_400_000 + 500)).toEqual({
    dueMs: start + 365 * 86_400_000,
    missed: countMissedTo,
    nextMs: start + 365 * 86_400_000 + 1000,
  })
})

test('a local time comes back from its moment, except where the clock jumps over it', () => {
  fc.assert(
    fc.property(timezone, moment, (zone, ms) => {
      const local = toLocalMs(zone, ms)
      const found = fromLocalMs(zone, local)
      expect(found.gapMs).toBe(0)
      expect(toLocalMs(zone, found.ms)).toBe(local)
      expect(found.ms).toBeLessThanOrEqual(ms)
    }),
  )
})

test('a duration comes back from its shortest text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 366 * 86_400 }), (seconds) => {
      expect(toDurationMs(toDurationText(seconds * 1000))).toBe(seconds * 1000)
    }),
  )
})

test('retries wait longer each time, spread by a fifth', () => {
  const delays = [1, 2, 3].map((retry) => [retryDelayMs(retry, 0), retryDelayMs(retry, 1)])
  expect(delays).toEqual([
    [8_000, 12_000],
    [32_000, 48_000],
    [128_000, 192_000],
  ])
  expect(defaultRetries).toBe(3)
})

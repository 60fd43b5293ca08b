import { expect, test } from 'vitest'
import { changeSchedule } from './change-schedule.ts'
import type { StoredSchedule } from './model.ts'

const now = Date.parse('2026-11-15T12:00:30Z')
const hour = 3_600_000
const owner = { kind: 'user', id: 'owner' } as const

function hourly(more: Partial<StoredSchedule> = {}): StoredSchedule {
  return {
    id: 'sch_1',
    tenant: 'default',
    name: 'hourly',
    tool: 'calc.sum',
    input: {},
    timing: { kind: 'every', everyMs: hour, anchorMs: now - 30_000 },
    overlap: 'skip',
    retries: 3,
    state: 'active',
    failures: 2,
    version: 1,
    nextMs: now - 10_000,
    createdBy: owner,
    authority: { principal: owner, permissions: ['*'], runtime: 'api' },
    createdMs: 0,
    updatedMs: 0,
    ...more,
  }
}

const off = { state: 'disabled', reason: 'It failed', failures: 5, nextMs: undefined } as const

test('a name changes nothing about its times, also where one is due', () => {
  expect(changeSchedule(hourly(), { name: 'other' }, now)).toEqual(
    hourly({ name: 'other', updatedMs: now }),
  )
})

test('a note is set, kept and removed', () => {
  const noted = changeSchedule(hourly(), { note: 'For the board' }, now)
  expect(noted).toEqual(hourly({ note: 'For the board', updatedMs: now }))
  expect(changeSchedule(noted, { name: 'other' }, now).note).toBe('For the board')
  expect(changeSchedule(noted, { note: null }, now)).toEqual(hourly({ updatedMs: now }))
})

test('a pause clears the next run, and runs due in the meantime are not caught up', () => {
  const paused = changeSchedule(hourly(), { paused: true }, now)
  const { nextMs: _none, ...rest } = hourly({ state: 'paused', updatedMs: now })
  expect(paused).toEqual(rest)
  const later = now + 5 * hour
  expect(changeSchedule(paused, { paused: false }, later)).toEqual({
    ...paused,
    state: 'active',
    failures: 0,
    nextMs: now - 30_000 + 6 * hour,
    updatedMs: later,
  })
})

test('a disabled schedule stays disabled until it is resumed, and then starts again', () => {
  const timing = { kind: 'every', everyMs: 2 * hour, anchorMs: now } as const
  expect(changeSchedule(hourly(off), { timing }, now)).toMatchObject({
    state: 'disabled',
    reason: 'It failed',
    failures: 5,
  })
  const again = changeSchedule(hourly(off), { paused: false }, now)
  expect(again).toMatchObject({ state: 'active', failures: 0, nextMs: now - 30_000 + hour })
  expect(again).not.toHaveProperty('reason')
})

test('a moment that was run is not run again, though this clock is behind', () => {
  const ran = hourly({ lastDueMs: now - 30_000 + hour })
  const { timing } = ran
  expect(changeSchedule(ran, { timing }, now)).toMatchObject({ nextMs: now - 30_000 + 2 * hour })
})

test('a one-shot that has run needs a new time to run again', () => {
  const timing = { kind: 'at', atMs: now - hour } as const
  const done = hourly({ timing, state: 'finished', nextMs: undefined })
  expect(() => changeSchedule(done, { paused: false }, now)).toThrow(/no times left/)
  expect(changeSchedule(done, { paused: true }, now)).toMatchObject({ state: 'finished' })
  const next = { kind: 'at', atMs: now + hour } as const
  expect(changeSchedule(done, { timing: next }, now)).toMatchObject({
    state: 'active',
    nextMs: now + hour,
  })
})

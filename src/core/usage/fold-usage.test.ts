import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldUsage } from './fold-usage.ts'
import type { UsageAddition, UsageEvent } from './fold-usage.ts'
import { noUsage } from './usage.ts'
import type { UsageFigures } from './usage.ts'

const principal = { kind: 'key', id: 'k' } as const

function eventOf(more: Partial<UsageEvent> & Pick<UsageEvent, 'type'>): UsageEvent {
  return { at: '2026-03-01T23:59:59.900Z', callId: 'c', data: {}, principal, ...more }
}

const ends = ['call.completed', 'call.failed', 'call.denied', 'call.cancelled'] as const
const events = fc.array(
  fc.record({
    callId: fc.constantFrom('a', 'b', 'c'),
    type: fc.constantFrom(
      'call.requested',
      'call.started',
      'call.queued',
      'secret.written',
      ...ends,
    ),
    day: fc.constantFrom('2026-03-01', '2026-03-02'),
    cost: fc.oneof(fc.nat(9), fc.constant(-1), fc.constant('x')),
  }),
)

/** Figures by subject, from any stretch. */
function sum(additions: readonly UsageAddition[]): Map<string, UsageFigures> {
  const sums = new Map<string, UsageFigures>()
  for (const { day, kind, subject, ...figures } of additions) {
    const key = `${day} ${kind} ${subject}`
    const before = sums.get(key) ?? noUsage
    const names = Object.keys(noUsage) as (keyof UsageFigures)[]
    sums.set(
      key,
      Object.fromEntries(names.map((name) => [name, before[name] + figures[name]])) as never,
    )
  }
  return sums
}

test('the result does not depend on where the feed is cut, as long as calls are known', () => {
  fc.assert(
    fc.property(events, fc.nat(30), (all, cut) => {
      const known = new Map(['a', 'b', 'c'].map((id) => [id, { tool: `tool.${id}`, startedMs: 0 }]))
      const feed = all.map(({ callId, type, day, cost }) =>
        eventOf({
          callId,
          type,
          at: `${day}T00:00:00.000Z`,
          data: { tool: `tool.${callId}`, cost },
        }),
      )
      // The duration of a call is computed from its start, which the cut may separate from its end.
      const withoutStarts = feed.filter(({ type }) => type !== 'call.started')
      const whole = foldUsage(withoutStarts, known)
      const parts = [withoutStarts.slice(0, cut), withoutStarts.slice(cut)]
      expect(sum(parts.flatMap((part) => foldUsage(part, known)))).toEqual(sum(whole))
    }),
  )
})

test('every ended call counts once, for the tenant and for the principal', () => {
  fc.assert(
    fc.property(events, (all) => {
      const feed = all.map(({ callId, type }) => eventOf({ callId, type, data: { tool: 't' } }))
      const count = feed.filter(({ type }) => (ends as readonly string[]).includes(type)).length
      for (const kind of ['tenant', 'principal']) {
        const rows = foldUsage(feed).filter((row) => row.kind === kind)
        expect(rows.reduce((total, { calls }) => total + calls, 0)).toBe(count)
        const parts = rows.reduce(
          (total, row) => total + row.completed + row.failed + row.denied + row.cancelled,
          0,
        )
        expect(parts).toBe(count)
      }
    }),
  )
})

test('a call that ends after midnight counts on the day it ended', () => {
  const feed = [
    eventOf({ type: 'call.requested', data: { tool: 'a.b' } }),
    eventOf({ type: 'call.started' }),
    eventOf({
      type: 'call.completed',
      at: '2026-03-02T00:00:00.100Z',
      data: { output: 'é', cost: 2 },
    }),
  ]
  const figures = { ...noUsage, calls: 1, completed: 1, runMs: 200, outputBytes: 4, cost: 2 }
  expect(foldUsage(feed)).toEqual([
    { day: '2026-03-02', kind: 'tenant', subject: '', ...figures },
    { day: '2026-03-02', kind: 'principal', subject: 'key:k', ...figures },
    { day: '2026-03-02', kind: 'tool', subject: 'a.b', ...figures },
    { ...noUsage, day: '2026-03-02', kind: 'pace', subject: '30 a.b', calls: 1 },
  ])
})

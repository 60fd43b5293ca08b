import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { CribEvent } from '../../core/events/event.ts'
import type { EventQuery } from '../../core/events/event-log.ts'
import type { Stores } from '../../features/stores.ts'
import type { Tables } from '../tables.ts'
import { eventOf, freshTenant, settlementOf, startOf } from './records.ts'

const system = { kind: 'system', id: 'loader' } as const

/** The contract of every store for the event log. */
export function describeEvents(
  store: () => Stores,
  { reopen, db }: { reopen: () => Promise<void>; db: () => Kysely<Tables> },
): void {
  const readAll = async (tenant: string, query: Omit<EventQuery, 'after'>) => {
    const items: CribEvent[] = []
    let after: string | undefined
    for (;;) {
      const page = await store().events.read(tenant, { ...query, after })
      items.push(...page.items)
      after = page.next
      if (!page.hasMore) return { items, after }
    }
  }

  describe('events', () => {
    test('an event is read as it was recorded', async () => {
      const start = startOf(freshTenant(), { sessionId: 'ses_1', agent: 'support' })
      await store().calls.open(start)
      await store().events.record([
        {
          tenant: start.tenant,
          principal: system,
          events: [eventOf('tool.registered', { name: 'x' })],
        },
      ])
      const { items, hasMore, next } = await store().events.read(start.tenant, { limit: 10 })
      const ofCall = {
        at: '2026-01-02T03:04:05.678Z',
        tenant: start.tenant,
        callId: start.callId,
        sessionId: 'ses_1',
        agent: 'support',
        principal: { kind: 'key', id: 'abc' },
      }
      const ids = items.map(({ id }) => id)
      expect(items).toEqual([
        { ...ofCall, id: ids[0], seq: 1, type: 'call.requested', data: { tool: 'calc.sum' } },
        { ...ofCall, id: ids[1], seq: 2, type: 'call.started', data: null },
        {
          id: ids[2],
          seq: 1,
          at: ofCall.at,
          tenant: start.tenant,
          principal: system,
          type: 'tool.registered',
          data: { name: 'x' },
        },
      ])
      expect({ hasMore, next }).toEqual({ hasMore: false, next: ids[2] })
    })

    test('the end may be asked for so far back that enough events follow, and no further than the start', async () => {
      const tenant = freshTenant()
      for (let index = 0; index < 5; index++) await store().calls.open(startOf(tenant))
      const { items, after } = await readAll(tenant, { limit: 100 })
      const from = async (back: number) => {
        const page = await store().events.read(tenant, {
          after: await store().events.end(tenant, back),
          limit: 100,
        })
        return page.items
      }
      expect(await store().events.end(tenant)).toBe(after)
      expect(await from(0)).toEqual([])
      // Two events each: three places back there are six of them.
      expect(await from(3)).toEqual(items.slice(-6))
      expect(await from(500)).toEqual(items)
    })

    test('every event is a place to read on from, also in the middle of what was committed together', async () => {
      const tenant = freshTenant()
      for (let index = 0; index < 4; index++) {
        const start = startOf(tenant, { sessionId: 'ses' })
        await store().calls.recordWhole(start, settlementOf(start))
      }
      const whole = await readAll(tenant, { limit: 100 })
      expect(whole.items).toHaveLength(12)
      for (const limit of [1, 2, 3, 5, 7, 12]) {
        expect((await readAll(tenant, { limit })).items).toEqual(whole.items)
        expect((await readAll(tenant, { limit, sessionId: 'ses' })).items).toEqual(whole.items)
      }
      for (const [index, { id }] of whole.items.entries()) {
        const rest = await store().events.read(tenant, { limit: 100, after: id })
        expect(rest.items).toEqual(whole.items.slice(index + 1))
      }
      const callId = whole.items[4]!.callId
      const ofCall = whole.items.filter((event) => event.callId === callId)
      for (const limit of [1, 2, 3])
        expect((await readAll(tenant, { limit, callId })).items).toEqual(ofCall)
    })

    test('transactions are in the order of their numbers, whatever their digits', async () => {
      const tenant = freshTenant()
      const numbers = ['1', '2', '3', '9', '10', '99', '100', '101']
      const starts = numbers.map(() => startOf(tenant, { sessionId: 'ses' })).toReversed()
      for (const [index, start] of starts.toReversed().entries()) {
        await store().calls.recordWhole(start, settlementOf(start))
        const stream = start.callId.slice('call_'.length)
        await sql`update events set xid = ${numbers[index]}::xid8 where stream = ${stream}`.execute(
          db(),
        )
      }
      const expected = starts.toReversed().flatMap(({ callId }) => [callId, callId, callId])
      for (const query of [{ limit: 100 }, { limit: 4 }, { limit: 7, sessionId: 'ses' }]) {
        expect((await readAll(tenant, query)).items.map(({ callId }) => callId)).toEqual(expected)
      }
      const end = await store().events.end(tenant)
      expect((await store().events.read(tenant, { limit: 10, after: end })).items).toEqual([])
    })

    test('sessions, calls and tenants see their own events alone', async () => {
      const [first, second] = [freshTenant(), freshTenant()]
      const start = startOf(first, { sessionId: 'ses_a' })
      await store().calls.open(start)
      await store().calls.open(startOf(first, { sessionId: 'ses_b' }))
      await store().calls.open(startOf(second, { sessionId: 'ses_a' }))
      const sessions = async (query: Partial<EventQuery>, tenant = first) =>
        (await store().events.read(tenant, { limit: 10, ...query })).items.map(
          ({ sessionId }) => sessionId,
        )
      expect(await sessions({})).toEqual(['ses_a', 'ses_a', 'ses_b', 'ses_b'])
      expect(await sessions({ sessionId: 'ses_b' })).toEqual(['ses_b', 'ses_b'])
      expect(await sessions({ callId: start.callId })).toEqual(['ses_a', 'ses_a'])
      expect(await sessions({ callId: start.callId, sessionId: 'ses_b' })).toEqual([])
      expect(await sessions({ callId: start.callId }, second)).toEqual([])
      expect(await sessions({ callId: 'call_none' })).toEqual([])
    })

    test('a filter on rare types scans a bounded number of records and reports where it stopped', async () => {
      const tenant = freshTenant()
      const many = Array.from({ length: 5_600 }, () =>
        startOf(tenant, { events: [eventOf('call.requested')] }),
      )
      await Promise.all(
        many.map((start) => store().calls.recordWhole(start, settlementOf(start, { events: [] }))),
      )
      await store().events.record([
        { tenant, principal: system, events: [eventOf('policy.changed')] },
      ])
      const types = ['policy.changed', 'tool.removed'] as const
      const first = await store().events.read(tenant, { limit: 10, types })
      expect([first.items.length, first.hasMore]).toEqual([0, true])
      const second = await store().events.read(tenant, { limit: 10, types, after: first.next })
      expect([second.items.map(({ type }) => type), second.hasMore]).toEqual([
        ['policy.changed'],
        false,
      ])
      const third = await store().events.read(tenant, { limit: 10, types, after: second.next })
      expect([third.items, third.hasMore, third.next]).toEqual([[], false, second.next])
    })

    test('cursors compare as their events are read', async () => {
      const tenant = freshTenant()
      for (let index = 0; index < 6; index++) {
        const start = startOf(tenant)
        await store().calls.recordWhole(start, settlementOf(start))
      }
      const { items, after } = await readAll(tenant, { limit: 100 })
      const ids = items.map(({ id }) => id)
      const { compare } = store().events
      expect(ids.toReversed().toSorted(compare)).toEqual(ids)
      expect(compare(ids.at(-1)!, after)).toBe(0)
      expect(() => compare(ids[0]!, 'x')).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      )
    })

    test('a page ends early when its events are heavy, and nothing is left out', async () => {
      const tenant = freshTenant()
      const heavy = 'x'.repeat(100_000)
      const events = [eventOf('call.requested', heavy), eventOf('call.started')]
      for (let index = 0; index < 30; index++)
        await store().calls.open(startOf(tenant, { sessionId: 'ses', events }))
      const sizes = async (query: Omit<EventQuery, 'after' | 'limit'>) => {
        const found: number[] = []
        let page = await store().events.read(tenant, { ...query, limit: 1_000 })
        for (;;) {
          found.push(page.items.length)
          if (!page.hasMore) return found
          page = await store().events.read(tenant, { ...query, limit: 1_000, after: page.next })
        }
      }
      // A megabyte holds ten of them and the one that makes it full.
      expect(await sizes({})).toEqual([22, 22, 16])
      expect(await sizes({ sessionId: 'ses' })).toEqual([22, 22, 16])
      expect(await sizes({ types: ['call.started'] })).toEqual([11, 11, 8])
      expect(await sizes({ maxBytes: 250_000 })).toEqual([...Array<number>(10).fill(6)])
      expect(await sizes({ maxBytes: 1, types: ['call.requested'] })).toEqual(
        Array<number>(30).fill(1),
      )
      expect(await sizes({ maxBytes: 1e12 })).toEqual([22, 22, 16])
      expect(await sizes({ maxBytes: 1, types: ['call.output'] })).toEqual([0])
    })

    test('the end is where only what comes later is read', async () => {
      const tenant = freshTenant()
      const empty = await store().events.end(tenant)
      expect(await store().events.read(tenant, { limit: 5, after: empty })).toEqual({
        items: [],
        next: empty,
        hasMore: false,
      })
      await store().calls.open(startOf(tenant))
      const end = await store().events.end(tenant)
      expect((await store().events.read(tenant, { limit: 5, after: end })).items).toEqual([])
      const later = startOf(tenant)
      await store().calls.open(later)
      const page = await store().events.read(tenant, { limit: 5, after: end })
      expect(page.items.map(({ callId }) => callId)).toEqual([later.callId, later.callId])
    })

    test('cursors stay good after a restart', async () => {
      const start = startOf(freshTenant())
      await store().calls.open(start)
      const { items } = await store().events.read(start.tenant, { limit: 1 })
      await reopen()
      await store().calls.settle(settlementOf(start))
      const page = await store().events.read(start.tenant, { limit: 5, after: items[0]!.id })
      expect(page.items.map(({ seq, type }) => [seq, type])).toEqual([
        [2, 'call.started'],
        [3, 'call.completed'],
      ])
    })

    test('thousands of events recorded at once keep their order', async () => {
      const tenant = freshTenant()
      const numbers = Array.from({ length: 2_500 }, (_, index) => index)
      await store().events.record([
        {
          tenant,
          principal: system,
          events: numbers.map((index) => eventOf('tool.registered', index)),
        },
      ])
      const { items } = await readAll(tenant, { limit: 300 })
      expect(items.map(({ data }) => data)).toEqual(numbers)
      expect(new Set(items.map(({ id }) => id)).size).toBe(numbers.length)
    })

    test('an invalid cursor is refused', async () => {
      for (const after of [
        '',
        'x',
        'A'.repeat(42),
        'A'.repeat(44),
        `${'A'.repeat(42)}B`,
        '_'.repeat(43),
        '\0',
      ]) {
        const read = store().events.read(freshTenant(), { limit: 5, after })
        await expect(read).rejects.toMatchObject({ code: 'invalid_request' })
      }
    })

    test('a watcher is woken by every kind of write until it stops', async () => {
      const start = startOf(freshTenant())
      let woken = Promise.withResolvers<void>()
      const stop = store().events.watch(() => woken.resolve())
      const writes = [
        () => store().calls.open(start),
        () =>
          store().calls.append(start.tenant, start.callId, { events: [eventOf('call.output')] }),
        () =>
          store().events.record([
            { tenant: start.tenant, principal: system, events: [eventOf('policy.changed')] },
          ]),
        () => store().calls.settle(settlementOf(start)),
      ]
      for (const write of writes) {
        woken = Promise.withResolvers()
        await write()
        await woken.promise
      }
      stop()
      woken = Promise.withResolvers()
      await store().calls.open(startOf(start.tenant))
      const pause = new Promise((resolve) => setTimeout(() => resolve('quiet'), 50))
      expect(await Promise.race([woken.promise, pause])).toBe('quiet')
    })
  })
}

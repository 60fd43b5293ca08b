import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ToolError } from '../kernel/errors.ts'
import type { EventLog, EventQuery } from './event-log.ts'
import type { CribEvent, EventType } from './event.ts'
import { createEventFeed } from './event-feed.ts'

type Log = Pick<EventLog, 'read' | 'end' | 'watch' | 'compare'>

/**
 * A log as the feed may see it: committed events are readable only up to a horizon, but by call at
 * once; every answer takes time; the signal may arrive before there is anything to read.
 */
function createLog(delays: readonly number[]) {
  const all: CribEvent[] = []
  const listeners = new Set<() => void>()
  let horizon = 0
  let turn = 0
  let reads = 0
  let failures = 0
  const toPlace = (cursor = 'e0') => {
    const place = /^e(\d+)$/.exec(cursor)?.[1]
    if (place === undefined) throw new ToolError('invalid_request', 'no cursor')
    return Number(place)
  }
  const pause = async () => {
    const ticks = delays[turn++ % delays.length] ?? 0
    if (ticks > 3) await new Promise((resolve) => setTimeout(resolve, ticks - 3))
    else for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
  }
  const log: Log = {
    async read(_tenant, { after, limit, types, callId, sessionId }) {
      reads += 1
      const from = toPlace(after)
      // The snapshot is taken at the start, at the end or in between.
      await pause()
      if (failures-- > 0) throw new Error('gone')
      const seen = all.slice(from, callId === undefined ? horizon : undefined)
      await pause()
      const fitting = seen.filter(
        (event) =>
          (types === undefined || types.includes(event.type)) &&
          (callId === undefined || event.callId === callId) &&
          (sessionId === undefined || event.sessionId === sessionId),
      )
      const items = fitting.slice(0, limit)
      const hasMore = fitting.length > items.length
      const isDense = sessionId === undefined && callId === undefined && !hasMore
      const last = isDense ? seen.at(-1)?.id : items.at(-1)?.id
      return { items, hasMore, next: last ?? `e${from}` }
    },
    async end() {
      await pause()
      return `e${horizon}`
    },
    compare: (left, right) => toPlace(left) - toPlace(right),
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    log,
    all,
    listeners,
    reads: () => reads,
    fail: (times: number) => (failures = times),
    write(type: EventType, more: Partial<CribEvent> = {}) {
      const principal = { kind: 'key', id: 'k' } as const
      const id = `e${all.length + 1}`
      const event = { id, seq: 1, at: '', tenant: 't', principal, type, data: null, ...more }
      all.push(event as unknown as CribEvent)
    },
    decide(upTo = all.length) {
      horizon = Math.max(horizon, Math.min(upTo, all.length))
      for (const listener of listeners) listener()
    },
  }
}

const types = ['call.started', 'call.output', 'call.completed'] as const
const delays = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 })
const steps = fc.array(
  fc.record({
    count: fc.integer({ min: 0, max: 5 }),
    held: fc.integer({ min: 0, max: 4 }),
    type: fc.constantFrom(...types),
    name: fc.constantFrom('a', 'b'),
    pause: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 30 },
)
const readers = fc.array(
  fc.record({
    joinsAt: fc.integer({ min: 0, max: 29 }),
    from: fc.option(fc.nat(60), { nil: undefined }),
    types: fc.option(fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }), {
      nil: undefined,
    }),
    callId: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    sessionId: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 8 }),
    slowness: fc.integer({ min: 0, max: 4 }),
  }),
  { minLength: 1, maxLength: 8 },
)

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('every follower gets exactly the matching events, in order and once, whenever it joins', async () => {
  await fc.assert(
    fc.asyncProperty(delays, steps, readers, async (pauses, writes, plans) => {
      const { log, all, listeners, write, decide } = createLog(pauses)
      const feed = createEventFeed(log, 3_000)
      const writing = { isDone: false }
      const following = plans.map(async ({ joinsAt, from, slowness, ...filter }) => {
        await sleep(joinsAt)
        const after = from === undefined ? undefined : `e${Math.min(from, all.length)}`
        const follower = feed.follow('t', { ...filter, after })
        const got: string[] = []
        const expected = () =>
          all.slice(Number((after ?? 'e0').slice(1))).filter((event) => fits(event, filter))
        const until = Date.now() + 30_000
        while (!(writing.isDone && got.length >= expected().length) && Date.now() < until) {
          got.push(...(await follower.next(5)).map(({ id }) => id))
          if (slowness > 0) await sleep(slowness)
        }
        // Duplicates would arrive now.
        got.push(...(await follower.next(5)).map(({ id }) => id))
        follower.close()
        return { got, expected: expected().map(({ id }) => id) }
      })
      for (const { count, held, type, name, pause } of writes) {
        for (let index = 0; index < count; index++) write(type, { callId: name, sessionId: name })
        decide(all.length - held)
        if (pause > 0) await sleep(pause)
      }
      decide()
      writing.isDone = true
      for (const { got, expected } of await Promise.all(following)) expect(got).toEqual(expected)
      expect(listeners.size).toBe(0)
    }),
    { numRuns: 40 },
  )
})

function fits(event: CribEvent, filter: Partial<EventQuery>): boolean {
  return (
    (filter.types === undefined || filter.types.includes(event.type)) &&
    (filter.callId === undefined || event.callId === filter.callId) &&
    (filter.sessionId === undefined || event.sessionId === filter.sessionId)
  )
}

test('a thousand followers that have caught up cost one read, and share one list', async () => {
  const { log, write, decide, reads } = createLog([1])
  const feed = createEventFeed(log)
  const followers = Array.from({ length: 1_000 }, () =>
    feed.follow('t', { limit: 10, after: 'e0' }),
  )
  expect(await Promise.all(followers.map((one) => one.next(0)))).toEqual(followers.map(() => []))
  const before = reads()
  const waiting = followers.map((one) => one.next(1_000))
  write('call.started')
  decide()
  const given = await Promise.all(waiting)
  expect([new Set(given).size, given[0]?.length, reads() - before]).toEqual([1, 1, 1])
  for (const one of followers) one.close()
})

test('followers that start at the same old position share the pages they catch up with', async () => {
  const { log, write, decide, reads } = createLog([4])
  for (let index = 0; index < 30; index++) write('call.output')
  decide()
  const feed = createEventFeed(log)
  const followers = Array.from({ length: 100 }, () => feed.follow('t', { limit: 10 }))
  const counts = await Promise.all(
    followers.map(async (one) => {
      let count = 0
      while (count < 30) count += (await one.next(100)).length
      return count
    }),
  )
  expect([new Set(counts), reads()]).toEqual([new Set([30]), 3])
  for (const one of followers) one.close()
})

test('other work gets a turn between the pages of old events', async () => {
  const { log, write, decide } = createLog([0])
  for (let index = 0; index < 400; index++) write('call.output')
  decide()
  const feed = createEventFeed(log)
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const replays = [1, 2, 3].map(async (limit) => {
    const one = feed.follow('t', { limit })
    for (let given = 0; given < 400;) given += (await one.next(100)).length
    return one
  })
  const followers = await Promise.all(replays)
  isDone = true
  // The first takes 400 pages, and all of them together more than 700.
  expect(turns).toBeGreaterThan(400)
  for (const one of followers) one.close()
})

test('a follower that reaches the same position a moment later gets the page already read', async () => {
  const { log, write, decide, reads } = createLog([0])
  for (let index = 0; index < 30; index++) write('call.output')
  decide()
  const feed = createEventFeed(log)
  const first = feed.follow('t', { limit: 10 })
  const page = await first.next(0)
  const before = reads()
  const second = feed.follow('t', { limit: 10 })
  expect(await second.next(0)).toBe(page)
  expect(reads()).toBe(before)
  for (const one of [first, second]) one.close()
})

test('events that the tail reads while a page is being read are not missed by followers sharing that page', async () => {
  const { log, write, decide } = createLog([0])
  const gate = Promise.withResolvers<void>()
  const slow: Log = {
    ...log,
    async read(tenant, query) {
      const page = await log.read(tenant, query)
      if (query.types !== undefined) await gate.promise
      return page
    },
  }
  const feed = createEventFeed(slow)
  const query = { limit: 5, types: ['call.started' as const] }
  const first = feed.follow('t', query)
  const reading = first.next(0)
  await sleep(5)
  write('call.started')
  decide()
  await sleep(5)
  const second = feed.follow('t', query)
  const shared = second.next(0)
  await sleep(5)
  gate.resolve()
  for (const [one, given] of [[first, reading] as const, [second, shared] as const]) {
    const items = [...(await given), ...(await one.next(50))]
    expect(items.map(({ id }) => id)).toEqual(['e1'])
    one.close()
  }
})

test('a wait ends when it is woken, and a closed follower returns nothing', async () => {
  const { log, listeners } = createLog([0])
  const follower = createEventFeed(log).follow('t', { limit: 1, after: 'e0' })
  const waiting = follower.next(60_000)
  await sleep(5)
  follower.wake()
  expect(await waiting).toEqual([])
  const again = follower.next(60_000)
  await sleep(5)
  follower.close()
  expect([await again, await follower.next(60_000), listeners.size]).toEqual([[], [], 0])
})

test('a failed read is reported to waiting followers, and retried', async () => {
  const { log, write, decide, fail } = createLog([1])
  const feed = createEventFeed(log)
  const follower = feed.follow('t', { limit: 5, after: 'e0' })
  expect(await follower.next(0)).toEqual([])
  fail(1)
  write('call.started')
  const waiting = follower.next(5_000)
  decide()
  await expect(waiting).rejects.toThrow('gone')
  // Retried after a second; until then readers get the failure.
  const read = () => follower.next(5_000).catch(() => [])
  await expect
    .poll(async () => (await read()).map(({ id }) => id), { timeout: 60_000 })
    .toEqual(['e1'])
  follower.close()
})

test('an invalid cursor is refused', async () => {
  const { log, listeners } = createLog([0])
  const follower = createEventFeed(log).follow('t', { limit: 5, after: 'x' })
  await expect(follower.next(0)).rejects.toMatchObject({ code: 'invalid_request' })
  follower.close()
  expect(listeners.size).toBe(0)
})

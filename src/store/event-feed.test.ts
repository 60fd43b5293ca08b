import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CribEvent, EventType } from '../core/events/event.ts'
import { createEventFeed, type EventFeed } from '../core/events/event-feed.ts'
import type { CallStart } from '../core/call-log.ts'
import type { EventQuery } from '../core/events/event-log.ts'
import type { Stores } from '../features/stores.ts'
import { eventOf, freshTenant, settlementOf, settingsFor, startOf } from './contract/records.ts'
import { createTempDatabase, createTempFolder } from './contract/temp-store.ts'
import { ensurePrebuiltFolder } from './engine/pglite/prebuilt-folder.ts'
import { openStores } from '../features/open-stores.ts'
import { variants } from '../../test/setup/run-length.ts'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Numbers that look random and are the same for the same seed. */
function createChance(seed: number) {
  let state = seed
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(chance() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  return { below, pick, isLikely: (share: number) => chance() < share }
}
type Chance = ReturnType<typeof createChance>

const sessions = ['ses_a', 'ses_b', 'ses_c']

/**
 * A writer: calls with output, written in pieces or whole, and events of no call. Returns the
 * number of events.
 */
async function writeSome(store: Stores, tenant: string, chance: Chance): Promise<number> {
  let count = 0
  for (let turn = 0; turn < 12; turn++) {
    const start = startOf(tenant, { sessionId: chance.pick(sessions) })
    if (chance.isLikely(0.3)) await store.calls.recordWhole(start, settlementOf(start))
    else count += await writePieces(store, start, chance)
    count += 3
    if (chance.isLikely(0.7)) continue
    const principal = { kind: 'system', id: 'fuzz' } as const
    await store.events.record([{ tenant, principal, events: [eventOf('tool.changed')] }])
    count += 1
  }
  return count
}

async function writePieces(store: Stores, start: CallStart, chance: Chance): Promise<number> {
  await store.calls.open(start)
  const outputs = chance.below(4)
  for (let output = 0; output < outputs; output++) {
    const event = eventOf('call.output', 'x'.repeat(200))
    await store.calls.append(start.tenant, start.callId, { events: [event] })
    if (chance.isLikely(0.3)) await sleep(chance.below(4))
  }
  await store.calls.settle(settlementOf(start))
  return outputs
}

async function readAll(store: Stores, tenant: string): Promise<CribEvent[]> {
  const items: CribEvent[] = []
  for (let after: string | undefined; ;) {
    const page = await store.events.read(tenant, { limit: 1_000, after })
    items.push(...page.items)
    after = page.next
    if (!page.hasMore) return items
  }
}

interface Reader {
  query: EventQuery
  got: CribEvent[]
}

/** Joins somewhere in the middle, with some filter, and takes its time. */
async function follow(
  { feed, store, tenant }: { feed: EventFeed; store: Stores; tenant: string },
  chance: Chance,
  isOver: (reader: Reader) => boolean,
): Promise<Reader> {
  await sleep(chance.below(120))
  const known = await readAll(store, tenant)
  const after = chance.isLikely(0.3)
    ? await store.events.end(tenant)
    : chance.pick([undefined, ...known.map(({ id }) => id)])
  const types = chance.pick<EventType[] | undefined>([
    undefined,
    undefined,
    ['call.completed'],
    ['call.output', 'tool.changed'],
  ])
  const callId = chance.isLikely(0.2) ? known.find((event) => event.callId)?.callId : undefined
  const sessionId = chance.isLikely(0.3) ? chance.pick(sessions) : undefined
  const limit = chance.pick([3, 20, 100])
  const reader: Reader = { query: { after, types, callId, sessionId, limit }, got: [] }
  const follower = feed.follow(tenant, reader.query)
  const slowness = chance.pick([0, 0, 3, 30])
  while (!isOver(reader)) {
    reader.got.push(...(await follower.next(200)))
    if (slowness > 0) await sleep(chance.below(slowness))
  }
  // A duplicate would arrive now.
  reader.got.push(...(await follower.next(50)))
  follower.close()
  return reader
}

function expectedOf({ query }: Reader, log: readonly CribEvent[]): CribEvent[] {
  const { after, types, callId, sessionId } = query
  // A cursor at the end of the log is the id of its last event; before everything it is of none.
  const from = log.findIndex(({ id }) => id === after) + 1
  return log
    .slice(from)
    .filter((event) => types === undefined || types.includes(event.type))
    .filter((event) => callId === undefined || event.callId === callId)
    .filter((event) => sessionId === undefined || event.sessionId === sessionId)
}

describe.each(['pglite', 'postgres'] as const)('the feed on %s', (kind) => {
  const stores: Stores[] = []
  let clear: () => Promise<void>
  beforeAll(async () => {
    if (kind === 'pglite') {
      await ensurePrebuiltFolder()
      const folder = await createTempFolder()
      clear = folder.remove
      stores.push(await openStores({ kind, dataDir: folder.path }, settingsFor()))
    } else {
      const { url, drop } = await createTempDatabase()
      clear = drop
      for (const node of ['one', 'two']) {
        stores.push(await openStores({ kind, url }, settingsFor(node)))
      }
    }
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    await clear()
  })

  test.each(variants([1], [2, 3, 4]))(
    'many writers and readers of every kind: each is given its events in order and once (%i)',
    async (seed) => {
      const tenant = freshTenant()
      // A tail that holds so little that slow readers fall off it again and again.
      const feeds = stores.map((store) => ({ store, feed: createEventFeed(store.events, 6_000) }))
      const at = (index: number) => feeds[index % feeds.length]!
      const finished: { log?: CribEvent[] } = {}
      const deadline = Date.now() + 180_000
      const isOver = (reader: Reader) =>
        (finished.log !== undefined &&
          reader.got.length >= expectedOf(reader, finished.log).length) ||
        Date.now() > deadline
      const reading = Array.from({ length: 30 }, (_, index) =>
        follow({ ...at(index), tenant }, createChance(seed * 1_000 + index), isOver),
      )
      const writing = Array.from({ length: 10 }, (_, index) =>
        writeSome(at(index).store, tenant, createChance(seed * 77 + index)),
      )
      const count = (await Promise.all(writing)).reduce((sum, more) => sum + more, 0)
      let log: CribEvent[] = []
      // Written is not yet decided: somebody's transaction may be open for a moment longer.
      while (log.length < count && Date.now() < deadline) log = await readAll(at(0).store, tenant)
      finished.log = log
      for (const reader of await Promise.all(reading)) {
        expect([reader.query, reader.got]).toEqual([reader.query, expectedOf(reader, log)])
      }
      expect([log.length, count > 300]).toEqual([count, true])
    },
  )
})

test('a transaction that stays open holds back the log, not the events of a call', async () => {
  const { url, drop } = await createTempDatabase()
  const store = await openStores({ kind: 'postgres', url }, settingsFor())
  const feed = createEventFeed(store.events)
  const tenant = freshTenant()
  const start = startOf(tenant)
  await store.calls.open(start)
  const after = await store.events.end(tenant)
  const ofAll = feed.follow(tenant, { limit: 10, after })
  const ofCall = feed.follow(tenant, { limit: 10, after, callId: start.callId })
  const stuck = new pg.Client({ connectionString: url })
  await stuck.connect()
  await stuck.query('begin')
  await stuck.query('select pg_current_xact_id()')
  await store.calls.settle(settlementOf(start))
  const typesOf = (items: readonly CribEvent[]) => items.map(({ type }) => type)
  expect(typesOf(await ofCall.next(100))).toEqual(['call.completed'])
  expect(typesOf(await ofAll.next(100))).toEqual([])
  await stuck.query('commit')
  expect(typesOf(await ofAll.next(5_000))).toEqual(['call.completed'])
  // Given before, and not again now that the tail has come so far.
  expect(typesOf(await ofCall.next(100))).toEqual([])
  for (const one of [ofAll, ofCall]) one.close()
  await stuck.end()
  await store.close()
  await drop()
})

import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LimitCount } from '../../../core/limits/limit-store.ts'
import { RatePermits } from '../../../core/limits/rate-permits.ts'
import { Places } from '../../../core/limits/places.ts'
import {
  emptyWindow,
  giveBack,
  sliceMs,
  takeFromWindow,
  type Window,
} from '../../../core/limits/window.ts'
import type { Stores } from '../../stores.ts'
import { freshTenant, settingsFor } from '../../../store/contract/records.ts'
import { createTempDatabase } from '../../../store/contract/temp-store.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { openEngine } from '../../../store/open-store.ts'
import { createStores } from '../../open-stores.ts'

let database: Awaited<ReturnType<typeof createTempDatabase>>
/** Each with connections of its own. */
const engines: Engine[] = []
const stores: Stores[] = []
beforeAll(async () => {
  database = await createTempDatabase()
  for (let node = 0; node < 2; node += 1) {
    const engine = await openEngine({ kind: 'postgres', url: database.url, poolSize: 4 }, () => {})
    engines.push(engine)
    stores.push(await createStores(engine, settingsFor(`node ${node}`)))
  }
})
afterAll(async () => {
  for (const store of stores) await store.close()
  await database.drop()
})

const countOf = (): LimitCount => ({ tenant: freshTenant(), limit: 'busy', subject: 'agent:a' })
const ignore = () => undefined

test('the database counts as the window does, also when its clock is put back', async () => {
  const steps = fc.array(
    fc.record({
      // Time passes, or goes back.
      ms: fc.oneof(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: -90_000, max: 90_000 })),
      most: fc.integer({ min: 0, max: 15 }),
      wanted: fc.integer({ min: 1, max: 9 }),
      unused: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 15 },
  )
  const run = async (list: { ms: number; most: number; wanted: number; unused: number }[]) => {
    const of = countOf()
    let window: Window = emptyWindow
    let at = 1_800_000_000_000
    for (const { ms, most, wanted, unused } of list) {
      at += ms
      const slot = Math.floor(at / sliceMs)
      const expected = takeFromWindow(window, { slot, most, wanted })
      const { rows } = await sql<{ granted: number; slot: string; used: string }>`
        select granted, window_slot::text as slot, array_to_string(window_used, ',') as used
        from take_permits(${of.tenant}, ${of.limit}, ${of.subject}, ${most}::int, ${wanted}::int,
          ${at}::bigint)`.execute(engines[0]!.db)
      expect(rows).toEqual([
        { granted: expected.granted, slot: String(slot), used: expected.window.used.join(',') },
      ])
      window = giveBack(expected.window, { slot, count: unused })
      await stores[0]!.limits.givePermitsBack([{ ...of, slot, count: unused }])
    }
  }
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: 40 })
})

test('two nodes under load make as many calls in a minute as the limit, and none more', async () => {
  const of = countOf()
  const nodes = stores.map(({ limits }) => new RatePermits(limits))
  const made = [0, 0]
  // Well over the limit, from both at once, for longer than a slice lasts.
  const from = performance.now()
  const isOver = () => made[0]! + made[1]! >= 400 || performance.now() - from > 40_000
  const hammer = async (node: number) => {
    while (performance.now() - from < 6500 || !isOver()) {
      const result = await nodes[node]!.take(of, 400)
      if (result.kind === 'taken') made[node]! += 1
      else await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  // Each takes one first: on a busy machine either could use up the limit before the other begins.
  for (const [node, permits] of nodes.entries()) {
    expect(await permits.take(of, 400)).toMatchObject({ kind: 'taken' })
    made[node]! += 1
  }
  const ticking = setInterval(() => void Promise.all(nodes.map((node) => node.tick())), 1000)
  await Promise.all([0, 1].flatMap((node) => Array.from({ length: 20 }, () => hammer(node))))
  clearInterval(ticking)
  expect(made[0]! + made[1]!).toBe(400)
})

test('two nodes under load never run more at once than the limit', async () => {
  const of = countOf()
  const nodes = stores.map(({ limits }) => new Places(limits, ignore))
  let running = 0
  let worst = 0
  let made = 0
  const from = performance.now()
  const isShown = () => (made > 20 && worst === 3) || performance.now() - from > 40_000
  const hammer = async (node: Places) => {
    while (performance.now() - from < 1500 || !isShown()) {
      const leave = await node.take(of, 3)
      if (leave !== undefined) {
        worst = Math.max(worst, (running += 1))
        made += 1
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (leave === undefined) continue
      running -= 1
      leave()
    }
  }
  await Promise.all(nodes.flatMap((node) => Array.from({ length: 8 }, () => hammer(node))))
  await Promise.all(nodes.map((node) => node.flush()))
  expect(worst).toBe(3)
  expect(made).toBeGreaterThan(20)
  expect(await stores[0]!.limits.findUse(of)).toEqual({
    subject: of.subject,
    calls: 0,
    concurrent: 0,
  })
})

test('places of a node that is silent come free, and those of one that left at once', async () => {
  const of = countOf()
  const engine: Engine = { ...engines[1]!, close: async () => {} }
  const settings = { ...settingsFor('short'), nodeTimeoutMs: 1500 }
  const other = await createStores(engine, settings)
  const short = await createStores(engine, settings)
  expect(await other.limits.holdPlaces(of, { most: 2, wanted: 2, inUse: 2 })).toBe(2)
  expect(await short.limits.holdPlaces(of, { most: 2, wanted: 1, inUse: 0 })).toBe(0)
  // As if it had been killed: it beats no more, and its row grows old.
  await sql`update nodes set seen_at = now() - interval '2 seconds'
    where id in (select node from limit_places where tenant = ${of.tenant})`.execute(engine.db)
  expect(await short.limits.holdPlaces(of, { most: 2, wanted: 1, inUse: 0 })).toBe(1)
  await short.close()
  expect((await stores[0]!.limits.findUse(of)).concurrent).toBeLessThanOrEqual(2)
  await other.close()
  expect((await stores[0]!.limits.findUse(of)).concurrent).toBe(0)
})

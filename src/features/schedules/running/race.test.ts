import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '../../../core/kernel/ids.ts'
import { freshTenant, settingsFor } from '../../../store/contract/records.ts'
import { schedulesOf, noon, scheduleOf, entryOf } from '../store/testing/records.ts'
import { createTempDatabase } from '../../../store/contract/temp-store.ts'
import { openStores, type OpenStores } from '../../open-stores.ts'
import { createTicker } from './create-ticker.ts'

let database: Awaited<ReturnType<typeof createTempDatabase>>
const stores: OpenStores[] = []
beforeAll(async () => {
  database = await createTempDatabase()
  const location = { kind: 'postgres', url: database.url } as const
  for (const node of ['one', 'two', 'three'])
    stores.push(await openStores(location, settingsFor(node)))
})
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()))
  await database.drop()
})

test('three nodes on one PostgreSQL make every run of many schedules once, and lose none', async () => {
  const [first, second] = stores
  if (first === undefined || second === undefined) throw new Error('the stores are not open')
  const scene = { now: noon }
  const calls: string[] = []
  const nodeOf = (store: OpenStores) => ({
    ticker: createTicker(
      {
        schedules: schedulesOf(store),
        inputs: store.inputs,
        now: () => scene.now,
        random: Math.random,
        onWarning: (message) => calls.push(message),
        async call({ idempotencyKey = '' }) {
          calls.push(idempotencyKey)
          return { callId: createId('call'), status: 'completed' }
        },
        findCall: async () => undefined,
      },
      { pollMs: 1000 },
    ),
  })
  const nodes = stores.map(nodeOf)
  const tenants = [freshTenant(), freshTenant()]
  const timing = { kind: 'every', everyMs: 1000, anchorMs: noon } as const
  const made = Array.from({ length: 24 }, (_, index) =>
    scheduleOf(tenants[index % 2] ?? '', { timing, nextMs: noon + 1000 }),
  )
  for (const schedule of made)
    await schedulesOf(first).create(schedule, entryOf('schedule.created'), 100)

  const seconds = 20
  for (let second = 1; second <= seconds; second += 1) {
    scene.now = noon + second * 1000 + 7
    await Promise.all(nodes.flatMap(({ ticker }) => [ticker.tick(), ticker.tick()]))
  }

  expect(calls).toHaveLength(seconds * made.length)
  expect(new Set(calls).size).toBe(calls.length)
  for (const { tenant, id } of made) {
    const { items } = (await schedulesOf(second).listRuns(tenant, id, { limit: 100 })) ?? {
      items: [],
    }
    expect(items.map(({ dueMs, missed, status }) => ({ dueMs, missed, status }))).toEqual(
      Array.from({ length: seconds }, (_, back) => ({
        dueMs: noon + (seconds - back) * 1000,
        missed: 0,
        status: 'completed',
      })),
    )
  }
  for (const tenant of tenants) {
    const { items } = (await stores[2]?.events.read(tenant, {
      types: ['schedule.fired'],
      limit: 1000,
    })) ?? { items: [] }
    expect(items).toHaveLength((seconds * made.length) / 2)
  }
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../core/ports.ts'
import { freshTenant, settlementOf, settingsFor, startOf } from '../../store/contract/records.ts'
import { createTempDatabase, createTempFolder } from '../../store/contract/temp-store.ts'
import { ensurePrebuiltFolder } from '../../store/engine/pglite/prebuilt-folder.ts'
import { openStores } from '../../features/open-stores.ts'
import { createWaitForCall } from './wait-for-call.ts'

/** The store, counting every query of calls. */
function counted(store: Store) {
  const looks = { find: 0, findSettled: 0 }
  const { calls } = store
  const find: typeof calls.find = (...asked) => {
    looks.find += 1
    return calls.find(...asked)
  }
  const findSettled: typeof calls.findSettled = (...asked) => {
    looks.findSettled += 1
    return calls.findSettled(...asked)
  }
  return { looks, store: { ...store, calls: { ...calls, find, findSettled } } }
}

async function openCalls(store: Store, count: number, tenant: string) {
  const starts = Array.from({ length: count }, () => startOf(tenant))
  await Promise.all(starts.map((start) => store.calls.open(start)))
  return starts
}

describe.each(['pglite', 'postgres'] as const)('waiting for calls on %s', (kind) => {
  let store: Store
  let clear: () => Promise<void>
  beforeAll(async () => {
    if (kind === 'pglite') {
      await ensurePrebuiltFolder()
      const folder = await createTempFolder()
      clear = folder.remove
      store = await openStores({ kind, dataDir: folder.path }, settingsFor())
    } else {
      const database = await createTempDatabase()
      clear = database.drop
      store = await openStores({ kind, url: database.url }, settingsFor())
    }
  })
  afterAll(async () => {
    await store.close()
    await clear()
  })

  test('thousands wait for their own calls, and one query serves them all', async () => {
    const tenant = freshTenant()
    const { looks, store: watched } = counted(store)
    const waitForCall = createWaitForCall(watched)
    const starts = await openCalls(store, 2_000, tenant)
    const ends = starts.map(({ callId }) => waitForCall(tenant, callId, { waitMs: 20_000 }))
    // The first query of each; after that, only signals cause queries.
    await watched.calls.find(tenant, starts.at(-1)!.callId)
    looks.findSettled = 0
    for (let index = 0; index < 20; index++) {
      const [bystander] = await openCalls(store, 1, tenant)
      await store.calls.settle(settlementOf(bystander!))
    }
    expect(looks.findSettled).toBeLessThanOrEqual(60)
    for (const start of starts) void store.calls.settle(settlementOf(start))
    const records = await Promise.all(ends)
    expect(records.map((call) => [call?.callId, call?.status, call?.output])).toEqual(
      starts.map(({ callId }) => [callId, 'completed', { sum: 6 }]),
    )
    // Twenty with a hundred each, and a few for signals in between.
    expect(looks.findSettled).toBeLessThan(200)
    expect(looks.find).toBe(starts.length + 1)
  })

  test('waiters for the same call share one query, and all are answered', async () => {
    const tenant = freshTenant()
    const { looks, store: watched } = counted(store)
    const waitForCall = createWaitForCall(watched)
    const [start] = await openCalls(store, 1, tenant)
    const ends = Array.from({ length: 50 }, () => waitForCall(tenant, start!.callId))
    await store.calls.settle(settlementOf(start!))
    const statuses = (await Promise.all(ends)).map((call) => call?.status)
    expect([new Set(statuses), looks.find]).toEqual([new Set(['completed']), 1])
  })

  test('settled, unknown and foreign calls are answered immediately', async () => {
    const tenant = freshTenant()
    const waitForCall = createWaitForCall(store)
    const [start] = await openCalls(store, 1, tenant)
    const foreign = await waitForCall(freshTenant(), start!.callId)
    await store.calls.settle(settlementOf(start!))
    const [settled, again, unknown] = await Promise.all([
      waitForCall(tenant, start!.callId),
      waitForCall(tenant, start!.callId),
      waitForCall(tenant, startOf(tenant).callId),
    ])
    expect([settled?.status, again?.status, unknown, foreign]).toEqual([
      'completed',
      'completed',
      undefined,
      undefined,
    ])
  })

  test('a waiter that times out or is aborted gets the current state of the call', async () => {
    const tenant = freshTenant()
    let watchers = 0
    const events: Store['events'] = {
      ...store.events,
      watch(listener) {
        watchers += 1
        const stop = store.events.watch(listener)
        return () => {
          watchers -= 1
          stop()
        }
      },
    }
    const waitForCall = createWaitForCall({ ...store, events })
    const [start] = await openCalls(store, 1, tenant)
    const stop = new AbortController()
    const late = waitForCall(tenant, start!.callId, { waitMs: 30 })
    const stopped = waitForCall(tenant, start!.callId, { signal: stop.signal })
    expect([(await late)?.status, watchers]).toEqual(['running', 1])
    stop.abort()
    expect([(await stopped)?.status, watchers]).toEqual(['running', 0])
  })
})

import { expect, test } from 'vitest'
import { freshStore } from '../../testing/fresh-store.fixture.ts'
import { createId } from '../kernel/ids.ts'
import { createContinuations } from './continuations.ts'
import type { GroupStore } from './group-store.ts'

const tenant = 't'
const kind = 'turn'
const leaseMs = 300

async function settledGroup(store: GroupStore): Promise<string> {
  const groupId = createId('group')
  await store.create({ tenant, groupId, continuation: { kind, data: null } })
  await store.seal(tenant, groupId)
  return groupId
}

/** A node that records the attempts it starts. */
function openNode(store: GroupStore, begun: number[]) {
  const warnings: string[] = []
  const node = createContinuations({
    store,
    leaseMs,
    wake: () => undefined,
    readResults: () => Promise.resolve({ results: [], failed: 0 }),
    onWarning: (message) => void warnings.push(message),
  })
  node.register(kind, ({ attempt }) => void begun.push(attempt))
  return { ...node, warnings }
}

const isContinued = async (store: GroupStore, groupId: string) =>
  (await store.find(tenant, groupId))?.continuedAt !== undefined

/** Freezes while the first answer is on its way: it makes no requests in the meantime. */
function standingStill(store: GroupStore, name: 'claim' | 'keep', until: Promise<unknown>) {
  let hasAsked = false
  const wait = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (hasAsked) return until.then(ask)
    hasAsked = true
    const answer = await ask()
    await until
    return answer
  }
  const still = { ...store }
  if (name === 'claim') still.claim = (query) => wait(() => store.claim(query))
  else still.keep = (...asked) => wait(() => store.keep(...asked))
  return still
}

test('a node that learns late of its lease does not start what another node has started since', async () => {
  const store = (await freshStore()).groups
  const groupId = await settledGroup(store)
  const begun: number[] = []
  const over = Promise.withResolvers<void>()
  const slow = openNode(standingStill(store, 'claim', over.promise), begun)
  const sweeping = slow.sweep()
  const other = openNode(store, begun)
  await expect.poll(() => other.sweep(), { interval: 20 }).toBe(1)
  await expect.poll(() => isContinued(store, groupId)).toBe(true)
  over.resolve()
  expect(await sweeping).toBe(1)
  await slow.close()
  expect(begun).toEqual([2])
  expect(slow.warnings).toEqual([])
  await other.close()
})

test('a node that learns late of a lease that nobody has taken since starts under that lease', async () => {
  const store = (await freshStore()).groups
  const groupId = await settledGroup(store)
  const begun: number[] = []
  const late = new Promise((resolve) => setTimeout(resolve, leaseMs * 1.5))
  const slow = openNode(standingStill(store, 'claim', late), begun)
  await slow.sweep()
  await expect.poll(() => isContinued(store, groupId)).toBe(true)
  expect(begun).toEqual([1])
  await slow.close()
})

test('a late answer about the lease is not enough to start', async () => {
  const store = (await freshStore()).groups
  const groupId = await settledGroup(store)
  const begun: number[] = []
  const asked = new Promise((resolve) => setTimeout(resolve, leaseMs / 2))
  const over = Promise.withResolvers<void>()
  const twice = standingStill(standingStill(store, 'keep', over.promise), 'claim', asked)
  const slow = openNode(twice, begun)
  await slow.sweep()
  const other = openNode(store, begun)
  await expect.poll(() => other.sweep(), { interval: 20 }).toBe(1)
  await expect.poll(() => isContinued(store, groupId)).toBe(true)
  over.resolve()
  await slow.close()
  expect(begun).toEqual([2])
  await other.close()
})

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

/** A node that writes down which attempts it begins. */
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

/** Stands still with the first answer on its way to it: it asks for nothing meanwhile. */
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

test('who hears late of its lease does not begin what another has begun since', async () => {
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

test('who hears late of a lease that nobody has taken since begins, under that lease', async () => {
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

test('an answer about the lease that was long under way is no reason to begin', async () => {
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

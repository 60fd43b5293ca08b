import { readdir, rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Keyring } from '../../../core/secrets/keyring.ts'
import { freshTenant, settingsFor, startOf } from '../../../store/contract/records.ts'
import { schedulesOf, scheduleOf, entryOf } from '../../schedules/store/testing/records.ts'
import { createTempDatabase, createTempFolder } from '../../../store/contract/temp-store.ts'
import { openEngine } from '../../../store/open-store.ts'
import { openStores, type OpenStores } from '../../open-stores.ts'
import {
  createKeyFile,
  createMasterKey,
  loadMasterKeys,
  parseMasterKeys,
} from '../../../store/master-key.ts'

const by = { kind: 'user', id: 'owner' } as const
const tenant = freshTenant()
const noted: string[] = []

let folders: Awaited<ReturnType<typeof createTempFolder>>[]
let database: Awaited<ReturnType<typeof createTempDatabase>>
let stores: OpenStores[]
beforeEach(async () => {
  database = await createTempDatabase()
  folders = await Promise.all([createTempFolder(), createTempFolder()])
  stores = []
  noted.length = 0
})
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  await Promise.all([database.drop(), ...folders.map((folder) => folder.remove())])
})

const pathOf = (place: number) => folders[place]?.path ?? ''

/** A node with a ring of its own in this folder. */
async function openNode(place = 0): Promise<{ store: OpenStores; ring: Keyring }> {
  const dataDir = pathOf(place)
  const store = await openStores(
    { kind: 'postgres', url: database.url },
    {
      ...settingsFor(`node${place}`),
      masterKeys: await loadMasterKeys({ dataDir }),
      keySource: createKeyFile(dataDir),
      nodeTimeoutMs: 1000,
      onWarning: (message) => noted.push(message),
    },
  )
  stores.push(store)
  if (store.keyring === undefined) throw new Error('there is no ring')
  return { store, ring: store.keyring }
}

const rotate = (ring: Keyring, more: { key?: string; isResumed?: boolean } = {}) =>
  ring.rotate({ tenant, by, ...more })

/** Every step until nothing is left. */
async function rotateAll(ring: Keyring) {
  let step = await rotate(ring)
  while (!step.isDone) step = await rotate(ring, { isResumed: true })
  return step
}

async function readAll(store: OpenStores, names: readonly string[]) {
  return Object.fromEntries(await store.secrets.read({ tenant }, names))
}

test('everything that is sealed moves to a new key while the store is open, and the old one can go', async () => {
  const { store, ring } = await openNode()
  const { token } = await store.keys.create({ tenant, name: 'k', scopes: [] })
  const start = startOf(tenant, {
    status: 'waiting',
    waitingFor: 'approval',
    input: { pin: '[redacted]' },
    rawInput: { pin: 'pin-4711' },
    permissions: [],
    work: { queue: 'q', priority: 0 },
  })
  await store.calls.open(start)
  const planned = scheduleOf(tenant)
  const sealedInput = store.inputs.seal(planned.id, { pin: 'pin-4711' })
  await schedulesOf(store).create({ ...planned, sealedInput }, entryOf('schedule.created'), 10)
  await store.secrets.write({ tenant }, 'first', 'value of first')
  const [{ id: old } = { id: '' }] = (await ring.status()).keys
  const step = await rotateAll(ring)
  expect(step).toEqual({
    keyId: step.keyId,
    hasBegun: true,
    moved: { secrets: 1, inputs: 2 },
    left: { secrets: 0, inputs: 0 },
    isDone: true,
  })
  await store.secrets.write({ tenant }, 'second', 'value of second')
  const use = { isHeld: true, missingOn: [] }
  const nothing = { secrets: 0, inputs: 0, pepper: false }
  expect(await ring.status()).toEqual({
    activeId: step.keyId,
    place: `${pathOf(0)}/master.key`,
    keys: [
      { id: old, isActive: false, ...use, ...nothing },
      { id: step.keyId, isActive: true, ...use, secrets: 2, inputs: 2, pepper: true },
    ].toSorted((one) => (one.isActive ? -1 : 1)),
  })
  // The other nodes may not have heard of it yet.
  await expect(ring.drop(old, { tenant, by })).rejects.toThrow('may still be sealing with it')
  const { items } = await store.events.read(tenant, { types: ['keyring.rotated'], limit: 10 })
  expect(items.map(({ data }) => data)).toEqual([
    { step: 'begun', keyId: step.keyId, from: old },
    { step: 'finished', keyId: step.keyId, left: { secrets: 0, inputs: 0 } },
  ])
  await store.close()

  await createKeyFile(pathOf(0)).file?.remove(old)
  const again = await openNode()
  expect(await readAll(again.store, ['first', 'second'])).toEqual({
    first: 'value of first',
    second: 'value of second',
  })
  const kept = await schedulesOf(again.store).find(tenant, planned.id)
  expect(again.store.inputs.open(kept?.sealedInput ?? '', planned.id)).toEqual({ pin: 'pin-4711' })
  expect(await again.store.keys.verify(token)).toMatchObject({ name: 'k' })
  const engine = await openEngine({ kind: 'postgres', url: database.url }, () => undefined)
  const { facts } = await engine.db.selectFrom('calls').select('facts').executeTakeFirstOrThrow()
  await engine.close()
  expect(facts).toContain(`"sealedInput":"${step.keyId} `)
})

test('an interrupted rotation continues with the same key, from any node', async () => {
  const { store, ring } = await openNode()
  for (let index = 0; index < 1200; index++)
    await store.secrets.write({ tenant }, `name_${index}`, `the value ${index}`)
  const first = await rotate(ring)
  expect(first).toMatchObject({ moved: { secrets: 1000 }, left: { secrets: 200 }, isDone: false })
  await store.close()
  const again = await openNode()
  // Without saying that it is resumed: no second key is made.
  expect(await rotate(again.ring)).toEqual({
    keyId: first.keyId,
    hasBegun: false,
    moved: { secrets: 200, inputs: 0 },
    left: { secrets: 0, inputs: 0 },
    isDone: true,
  })
  expect(await readAll(again.store, ['name_0', 'name_1199'])).toEqual({
    name_0: 'the value 0',
    name_1199: 'the value 1199',
  })
})

test('nothing is sealed with a key that another node does not hold; once it does, it follows', async () => {
  const { store, ring } = await openNode(0)
  const source = createKeyFile(pathOf(0))
  const other = createKeyFile(pathOf(1))
  const listed = async () => [...(await source.read()).keys].map(([id, key]) => ({ id, key }))
  const [old] = await listed()
  await loadMasterKeys({ dataDir: pathOf(1) })
  await other.file?.add(old)
  await store.secrets.write({ tenant }, 'shared', 'value of both')
  const second = await openNode(1)
  await expect(rotate(ring)).rejects.toThrow(/do not hold master key k\w+ yet: node1\//)
  expect((await ring.status()).activeId).toBe(old?.id)
  expect((await ring.status()).nextId).toBe((await source.read()).activeId)
  // A restart in between does not use it either, although it comes first in the file.
  await store.close()
  const first = await openNode(0)
  expect((await first.ring.status()).activeId).toBe(old?.id)

  const [fresh] = await listed()
  await other.file?.add(fresh)
  await expect
    .poll(() => rotate(first.ring).catch((error: { code: string }) => error.code), {
      timeout: 60_000,
    })
    .toMatchObject({ keyId: fresh?.id, hasBegun: true, isDone: true })
  await expect.poll(async () => (await second.ring.status()).activeId).toBe(fresh?.id)
  await second.store.secrets.write({ tenant }, 'later', 'value of later')
  expect(await readAll(first.store, ['shared', 'later'])).toEqual({
    shared: 'value of both',
    later: 'value of later',
  })
  expect(await readAll(second.store, ['shared'])).toEqual({ shared: 'value of both' })
})

test('an altered secret is skipped and recorded, and keeps its key from being dropped', async () => {
  const { store, ring } = await openNode()
  await store.secrets.write({ tenant }, 'good', 'value of good')
  await store.secrets.write({ tenant }, 'bad', 'value of bad')
  const engine = await openEngine({ kind: 'postgres', url: database.url }, () => undefined)
  await engine.db
    .updateTable('secrets')
    .set({ wrapped_key: new Uint8Array(61) })
    .where('name', '=', 'bad')
    .execute()
  await engine.close()
  const { activeId: old } = await ring.status()
  expect(await rotateAll(ring)).toMatchObject({
    moved: { secrets: 0 },
    left: { secrets: 1 },
    isDone: true,
  })
  await expect(ring.drop(old, { tenant, by })).rejects.toThrow('1 secrets and 0 inputs are still')
  expect(await readAll(store, ['good'])).toEqual({ good: 'value of good' })
})

test('a key of one’s own is taken, a wrong one and the one in use are refused', async () => {
  const { ring } = await openNode()
  const own = createMasterKey()
  const text = `mine:${Buffer.from(own.key).toString('base64')}`
  await expect(rotate(ring, { key: 'no key' })).rejects.toMatchObject({ code: 'wrong_master_key' })
  await expect(rotate(ring, { key: `${text},${text.replace('mine', 'two')}` })).rejects.toThrow(
    'one master key',
  )
  expect(await rotate(ring, { key: text })).toMatchObject({ keyId: 'mine', hasBegun: true })
  await expect(ring.drop('mine', { tenant, by })).rejects.toThrow('Master key mine is in use')
  await expect(ring.drop('nobody', { tenant, by })).rejects.toMatchObject({ code: 'not_found' })
  expect([...(await loadMasterKeys({ dataDir: pathOf(0) })).keys.keys()][0]).toBe('mine')
  // Other bytes under an id that is known.
  const other = `mine:${Buffer.from(createMasterKey().key).toString('base64')}`
  await expect(rotate(ring, { key: other })).rejects.toMatchObject({ code: 'wrong_master_key' })
})

test('a key file that is lost while the node runs is not created again', async () => {
  const { store, ring } = await openNode()
  await store.secrets.write({ tenant }, 'name', 'the value')
  await rm(`${pathOf(0)}/master.key`)
  await expect(rotate(ring)).rejects.toThrow('ENOENT')
  await expect.poll(() => noted).toEqual([expect.stringContaining('ENOENT')])
  expect(await readdir(pathOf(0))).toEqual([])
  expect(await readAll(store, ['name'])).toEqual({ name: 'the value' })
})

test('a node that lacks the key in use does not start', async () => {
  const { store, ring } = await openNode()
  const { activeId } = await ring.status()
  await rotateAll(ring)
  await store.close()
  const before = await loadMasterKeys({ dataDir: pathOf(0) })
  const key = Buffer.from(before.keys.get(activeId) ?? []).toString('base64')
  const opening = openStores(
    { kind: 'postgres', url: database.url },
    { ...settingsFor(), masterKeys: parseMasterKeys(`${activeId}:${key}`) },
  )
  await expect(opening).rejects.toMatchObject({ code: 'wrong_master_key' })
})

test('keys that the operator keeps are never made or removed here', async () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  const open = async (text: string) => {
    const masterKeys = parseMasterKeys(text)
    const keySource = { place: 'TOOLCRIB_MASTER_KEY', read: async () => masterKeys }
    const settings = { ...settingsFor(), masterKeys, keySource }
    const store = await openStores({ kind: 'pglite', dataDir: pathOf(0) }, settings)
    stores.push(store)
    return store
  }
  const first = await open(`k1:${key(7)}`)
  await first.secrets.write({ tenant }, 'name', 'the value')
  await expect(first.keyring?.rotate({ tenant, by })).rejects.toThrow('kept in TOOLCRIB_MASTER_KEY')
  await first.close()
  // From now on the store decides which key is in use, so the new one waits for the command.
  const second = await open(`k2:${key(9)},k1:${key(7)}`)
  expect(await second.keyring?.status()).toMatchObject({ activeId: 'k1', nextId: 'k2' })
  expect(await second.keyring?.rotate({ tenant, by })).toMatchObject({ keyId: 'k2', isDone: true })
  expect(await second.keyring?.drop('k1', { tenant, by })).toEqual({ isGone: false })
  expect(await readAll(second, ['name'])).toEqual({ name: 'the value' })
})

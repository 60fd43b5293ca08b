import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { createTestCrib } from '../../src/testing/index.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'

const owner = ownerOf()
const acme = ownerOf('acme')
const page = defineTool({
  name: 'wiki.fetch',
  description: 'Reads a page.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => 'a page',
})

let crib: Crib
afterEach(() => crib.close())

async function open(config: object = {}) {
  const store = await freshStore()
  crib = await createTestCrib({
    tools: [page],
    config: { tenants: [{ slug: 'acme' }], ...config },
    store,
  })
  return store
}

const labelsFor = async (caller = owner) =>
  (await crib.api.explain(caller, { tool: 'wiki.fetch' })).items[0]?.labels

test('a label of the tenant holds at once, for that tenant alone, and is on record', async () => {
  await open()
  const label = await crib.api.writeLabel(owner, {
    pattern: 'wiki.*',
    reads: ['untrusted', 'untrusted'],
  })
  expect(label).toMatchObject({ pattern: 'wiki.*', reads: ['untrusted'], isDeclared: false })
  expect(label.setBy).toMatch(/^user:owner on 20/)
  expect(await labelsFor()).toMatchObject({ reads: ['untrusted'] })
  expect(await labelsFor(acme)).toBeUndefined()
  expect((await crib.api.listLabels(acme)).items).toEqual([])
  await crib.api.writeLabel(owner, { pattern: 'wiki.*', effects: 'external' })
  await crib.api.deleteLabel(owner, { pattern: 'wiki.*' })
  expect(await labelsFor()).toBeUndefined()
  const changes: unknown[] = []
  for await (const { data } of crib.events({ types: ['policy.changed'] })) changes.push(data)
  const name = { kind: 'label', name: 'wiki.*' }
  expect(changes).toEqual([
    { ...name, change: 'created', label: { reads: ['untrusted'] } },
    { ...name, change: 'changed', label: { effects: 'external' } },
    { ...name, change: 'deleted' },
  ])
})

test('configuration speaks for every tenant, and none of them takes it back', async () => {
  await open({ labels: { 'wiki.fetch': { reads: ['untrusted'] } } })
  await crib.api.writeLabel(acme, { pattern: 'wiki.fetch', reads: [] })
  expect(await labelsFor(acme)).toMatchObject({ reads: ['untrusted'] })
  expect((await crib.api.listLabels(acme)).items).toMatchObject([
    { pattern: 'wiki.fetch', reads: ['untrusted'], isDeclared: true, setBy: 'configuration' },
    { pattern: 'wiki.fetch', reads: [], isDeclared: false },
  ])
  await crib.api.deleteLabel(acme, { pattern: 'wiki.fetch' })
  await expect(crib.api.deleteLabel(acme, { pattern: 'wiki.fetch' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('what is no pattern, says nothing, or is not theirs to say is refused', async () => {
  await open()
  const write = (pattern: string, labels: object, caller = owner) =>
    crib.api.writeLabel(caller, { pattern, ...labels })
  await expect(write('wiki.?', { reads: [] })).rejects.toMatchObject({ code: 'invalid_policy' })
  await expect(write('group:gone', { reads: [] })).rejects.toMatchObject({ code: 'invalid_policy' })
  await expect(write('wiki.*', {})).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(write('wiki.*', { reads: ['secret'] })).rejects.toMatchObject({
    code: 'invalid_request',
    issues: [{ path: '/reads/0' }],
  })
  const reads = { ...owner, permissions: ['policy.read'] }
  await expect(write('wiki.*', { reads: [] }, reads)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(crib.api.deleteLabel(reads, { pattern: 'wiki.*' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const nobody = { ...owner, permissions: ['tools.call'] }
  await expect(crib.api.listLabels(nobody)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(open({ labels: { 'group:gone': { reads: [] } } })).rejects.toMatchObject({
    code: 'invalid_policy',
  })
})

test('a key of an agent says nothing of tools, whatever it holds', async () => {
  await open()
  const bound = { ...owner, agent: 'support' }
  await crib.api.writeLabel(owner, { pattern: 'wiki.*', reads: ['untrusted'] })
  for (const change of [
    () => crib.api.writeLabel(bound, { pattern: 'wiki.fetch', reads: [] }),
    () => crib.api.deleteLabel(bound, { pattern: 'wiki.*' }),
  ]) {
    await expect(change()).rejects.toMatchObject({ code: 'forbidden' })
  }
  expect(await labelsFor()).toMatchObject({ reads: ['untrusted'] })
})

test('a stored label that can not be read says the strictest, and that it does', async () => {
  const store = await open()
  await store.rules.change('default', owner.principal, (draft) =>
    draft.put('label', 'wiki.*', { body: { read: ['untrusted'] } }),
  )
  await expect
    .poll(() => labelsFor())
    .toMatchObject({
      reads: ['untrusted', 'private'],
      effects: 'irreversible',
    })
  const [label] = (await crib.api.listLabels(owner)).items
  expect(label?.setBy).toContain('the strictest label applies')
})

test('the 501st label of a tenant is refused, and one that is there can be changed all the same', async () => {
  const store = await open()
  await store.rules.change('default', owner.principal, async (draft) => {
    for (let index = 0; index < 500; index += 1) {
      await draft.put('label', `t.n${index}`, { body: { reads: [] } })
    }
  })
  await expect(crib.api.writeLabel(owner, { pattern: 'wiki.*', reads: [] })).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
  expect(await crib.api.writeLabel(owner, { pattern: 't.n1', effects: 'local' })).toMatchObject({
    effects: 'local',
  })
})

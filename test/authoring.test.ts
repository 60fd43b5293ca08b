import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool } from '../src/core/define-tool.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ path: request.url }))
})
const find = defineTool({
  name: 'billing.find',
  description: 'Finds an invoice by its id, for tests of overrides.',
  effect: 'read',
  timeoutMs: 5000,
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  execute: () => ({ total: 7 }),
})

let crib: OpenCrib
let owner: Caller

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const store = await openTestStore()
  crib = await openCrib({
    cwd: process.cwd(),
    data: '/nowhere',
    store,
    tools: [find],
    config: {
      network: { addresses: ['127.0.0.1'] },
      agents: [{ slug: 'clerk', tools: { allow: ['demo.*'] } }],
    },
  })
  owner = ownerOf('default', 'api')
})
afterAll(async () => {
  await crib.close()
  server.close()
})

function http(name: string, path: string, more: object = {}) {
  const { port } = server.address() as AddressInfo
  return {
    name,
    description: 'Fetches a path of the test server, for tests.',
    inputSchema: { type: 'object', properties: {} },
    spec: { kind: 'http', method: 'GET', url: `http://127.0.0.1:${port}${path}` },
    ...more,
  }
}
const call = (tool: string, caller = owner) => crib.api.call({ tool, input: {}, caller })

test('a document is drafted, published, called, changed and restored', async () => {
  const { api } = crib
  const name = 'demo.path'
  const made = await api.createTool(owner, { document: http(name, '/one') })
  expect(made.draft).toMatchObject({ name, revision: 1, findings: [] })
  expect(await call(name)).toMatchObject({ error: { code: 'tool_not_found' } })

  const first = await api.publishTool(owner, { name, note: 'The first' })
  expect(first).toMatchObject({
    version: { number: 1, note: 'The first', isInForce: true },
    isNew: true,
    sight: { agents: 1, sees: ['clerk'], asks: [] },
  })
  expect((await call(name)).output).toMatchObject({ path: '/one' })
  expect((await api.listTools(owner, { source: 'authored' })).items).toMatchObject([{ name }])

  await api.saveToolDraft(owner, { name, document: http(name, '/two') })
  expect((await call(name)).output).toMatchObject({ path: '/one' })
  const second = await api.publishTool(owner, { name })
  expect(second.version.number).toBe(2)
  const result = await call(name)
  expect(result.output).toMatchObject({ path: '/two' })
  const record = await api.findCall(owner, { id: result.callId ?? '' })
  expect(record.toolVersion).toBe(second.version.hash)

  await api.restoreToolVersion(owner, { name, hash: first.version.hash })
  expect((await call(name)).output).toMatchObject({ path: '/one' })
  const { items } = await api.listToolVersions(owner, { name })
  expect(items.map(({ number, isInForce }) => [number, isInForce])).toEqual([
    [2, false],
    [1, true],
  ])
})

const composition = (name: string, ...tools: string[]) => ({
  name,
  description: 'Calls other tools one after the other, for tests.',
  inputSchema: { type: 'object', properties: {} },
  spec: { kind: 'composition', steps: tools.map((tool, index) => ({ id: `s${index}`, tool })) },
})
const publish = (document: { name: string }) =>
  crib.api.createTool(owner, { document, publish: true })

test('tools that call each other in a circle are refused with the chain', async () => {
  const { api } = crib
  await publish(http('ring.end', '/end'))
  await publish(composition('ring.two', 'ring.end'))
  await publish(composition('ring.one', 'ring.two'))
  await api.saveToolDraft(owner, {
    name: 'ring.end',
    document: composition('ring.end', 'ring.one'),
  })
  await expect(api.publishTool(owner, { name: 'ring.end' })).rejects.toMatchObject({
    code: 'invalid_tool',
    message: expect.stringContaining('ring.end → ring.one → ring.two → ring.end'),
  })
  expect((await call('ring.one')).status).toBe('completed')
})

test('a step that names no tool is reported with its place and the nearest name', async () => {
  const document = composition('steps.typo', 'billing.fnd')
  const { findings } = await crib.api.previewToolSource(owner, { document })
  expect(findings).toEqual([
    expect.objectContaining({
      path: '/spec/steps/0/tool',
      message: expect.stringContaining('billing.find'),
    }),
  ])
})

test('a composition has the effect of its steps, also after they change', async () => {
  const { api } = crib
  await publish(http('steps.act', '/act'))
  await publish(composition('steps.all', 'steps.act'))
  const effectOf = async () => (await api.findTool(owner, { name: 'steps.all' })).effect
  expect(await effectOf()).toBe('read')
  const document = http('steps.act', '/act', { effect: 'destructive' })
  await api.saveToolDraft(owner, { name: 'steps.act', document })
  await api.publishTool(owner, { name: 'steps.act' })
  await expect.poll(effectOf).toBe('destructive')
  const removed = await api.removeAuthoredTool(owner, { name: 'steps.act' })
  expect(removed.usedBy.tools).toEqual(['steps.all'])
  const result = await call('steps.all')
  expect(result.error?.message).toContain('steps.act')
})

test('each author has a draft, and a draft changes only from the revision that was read', async () => {
  const { api } = crib
  const name = 'demo.shared'
  const bob: Caller = { ...owner, principal: { kind: 'user', id: 'bob' } }
  await api.saveToolDraft(owner, { name, document: http(name, '/mine') })
  await api.saveToolDraft(bob, { name, document: { name, broken: true } })
  const stale = api.saveToolDraft(owner, { name, document: {}, revision: 7 })
  await expect(stale).rejects.toMatchObject({ code: 'conflict', details: { revision: 1 } })
  const { drafts, draft } = await api.findToolSource(bob, { name })
  expect(drafts.filter(({ isMine }) => isMine)).toHaveLength(1)
  expect(drafts).toHaveLength(2)
  expect(draft?.findings.length).toBeGreaterThan(0)
  await expect(api.publishTool(bob, { name })).rejects.toMatchObject({ code: 'invalid_tool' })

  await api.publishTool(owner, { name })
  await api.saveToolDraft(bob, { name, document: http(name, '/theirs') })
  // It began before there was a version in force.
  await expect(api.publishTool(bob, { name })).rejects.toMatchObject({ code: 'name_taken' })
})

test('names of other tools and of their packs are refused', async () => {
  await expect(publish(http('billing.find', '/'))).rejects.toMatchObject({ code: 'name_taken' })
  await expect(publish(http('file.steal', '/'))).rejects.toMatchObject({ code: 'invalid_tool' })
})

test('a tool of others is reworded and disabled for the tenant, and is itself again', async () => {
  const { api } = crib
  const name = 'billing.find'
  const listed = async () =>
    (await api.listTools(owner, { q: name })).items.find((tool) => tool.name === name)
  await api.changeAuthoredTool(owner, { name, override: { title: 'Look up a bill' } })
  expect(await listed()).toMatchObject({ title: 'Look up a bill', state: 'ready' })
  const opening = api.changeAuthoredTool(owner, { name, override: { timeoutMs: 60_000 } })
  await expect(opening).rejects.toMatchObject({ issues: [{ path: '/timeoutMs' }] })
  await api.changeAuthoredTool(owner, { name, isEnabled: false })
  expect(await listed()).toMatchObject({ state: 'quarantined' })
  expect((await call(name)).error?.code).toBe('tool_not_found')
  await api.removeAuthoredTool(owner, { name })
  expect(await listed()).toMatchObject({ title: 'Billing find', state: 'ready' })
})

test('a document that can not be read is quarantined, and takes nothing else down', async () => {
  const { api, store } = crib
  const name = 'demo.torn'
  await publish(http(name, '/torn'))
  const body = { hash: '000000000000', number: 9, isEnabled: true }
  await store.rules.change('default', owner.principal, (draft) => draft.put('tool', name, { body }))
  const torn = async () =>
    (await api.listAuthoredTools(owner)).items.find((tool) => tool.name === name)
  await expect.poll(async () => (await torn())?.problem).toMatch(/published version is missing/)
  expect((await call('demo.path')).status).toBe('completed')
})

test('an agent can not author tools', async () => {
  const agent: Caller = { ...owner, agent: 'clerk' }
  const document = http('demo.smuggled', '/')
  await expect(crib.api.createTool(agent, { document, publish: true })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const reader: Caller = { ...owner, permissions: ['tools.call'] }
  await expect(crib.api.previewToolSource(reader, { document })).rejects.toMatchObject({
    code: 'forbidden',
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import { settingsFor } from '../../src/store/contract/records.ts'
import { openStores, type OpenStores } from '../../src/features/open-stores.ts'
import { operator, specOf } from '../setup/governed-crib.ts'
import { zipOf } from '../skills/skill-crib.ts'
import { followStream } from './follow-stream.ts'
import { type KeyInHand, type McpCrib, modern, openMcpCrib } from './mcp-crib.ts'

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: 'One of them.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'done',
    ...more,
  })

let folder: string
let store: OpenStores
let mcp: McpCrib
let key: KeyInHand

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mcp-heard-'))
  store = await openStores({ kind: 'pglite', dataDir: folder }, settingsFor())
  mcp = await openMcpCrib({
    tools: [tool('demo.one'), tool('demo.asks', { approval: 'always' })],
    config: { agents: [{ slug: 'other', tools: { allow: [] } }] },
    limits: { waitMs: 100 },
    store,
  })
  key = await mcp.createKey()
})
afterAll(async () => {
  await mcp.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const patience = { timeout: 60_000 }
const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

async function listen(notifications: object, by: KeyInHand = key) {
  const response = await mcp.post(by, ...modern('subscriptions/listen', { notifications }))
  const stream = followStream(response)
  await expect.poll(stream.text, patience).toContain('acknowledged')
  return stream
}

const wordOf = (text: string) =>
  [...text.matchAll(/"notifications\/(\w+\/list_changed)"/g)].map((found) => found[1])

test('what is decided about others is no change of a list', async () => {
  const { api } = mcp.crib
  const stream = await listen(all)
  const client = await mcp.connect(key, { era: 'older', capabilities: { roots: {} } })
  const told: string[] = []
  client.fallbackNotificationHandler = async ({ method }) => void told.push(method)
  await client.listTools()
  const stranger = await mcp.createKey()
  await sleep(300)
  await api.revokeKey(operator, { id: stranger.id })
  await sleep(300)
  await api.createAgent(operator, specOf('more'))
  await sleep(300)
  await api.addGrant(operator, { slug: 'other', pattern: 'demo.one', kind: 'allow' })
  await sleep(600)
  expect([wordOf(stream.text()), told]).toEqual([[], []])
  await stream.leave()
  await client.close()
})

test('each list is told of when it is another, and no other is', async () => {
  const { api } = mcp.crib
  const stream = await listen(all)
  await api.writePolicyDocument(operator, {
    kind: 'policy',
    name: 'tenant',
    body: { deny: ['demo.one'] },
  })
  await expect.poll(() => wordOf(stream.text()), patience).toEqual(['tools/list_changed'])
  await api.installSkill(operator, { zip: zipOf('name: heard') })
  await expect
    .poll(() => wordOf(stream.text()), patience)
    .toEqual(['tools/list_changed', 'prompts/list_changed'])
  await api.deletePolicyDocument(operator, { kind: 'policy', name: 'tenant' })
  await expect.poll(() => wordOf(stream.text()).length, patience).toBe(3)
  await stream.leave()
})

async function makeWait(): Promise<{ uri: string; approve(): Promise<unknown> }> {
  const { callId, approvalId } = await mcp.crib.api.call({
    tool: 'demo.asks',
    input: {},
    caller: operator,
  })
  const decide = () =>
    mcp.crib.api.decideApproval(operator, { id: approvalId ?? '', decision: 'approve' })
  return { uri: `crib://calls/${callId ?? ''}`, approve: decide }
}

test('a stream tells that a call has gone on', async () => {
  const { uri, approve } = await makeWait()
  const missing = `crib://calls/call_${'0'.repeat(32)}`
  const stream = await listen({ resourceSubscriptions: [uri, missing, 'docs://nothing'] })
  const [ack] = stream.text().split('\n\n')
  expect(ack).toContain(uri)
  expect(ack).not.toContain(missing)
  expect(ack).not.toContain('docs://nothing')
  expect(stream.text()).not.toContain('resources/updated')
  await approve()
  await expect.poll(stream.text, patience).toContain('notifications/resources/updated')
  await stream.leave()
})

test('who subscribes to a call that has ended meanwhile is told at once', async () => {
  const { uri, approve } = await makeWait()
  await approve()
  const isOver = async () => {
    const { status } = await mcp.crib.api.findCall(operator, {
      id: uri.slice('crib://calls/'.length),
    })
    return status
  }
  await expect.poll(isOver, patience).toBe('completed')
  const stream = await listen({ resourceSubscriptions: [uri] })
  await expect.poll(stream.text, patience).toContain('notifications/resources/updated')
  await stream.leave()
})

test('a call of somebody else is not acknowledged, and its end is told to nobody', async () => {
  const stranger = await mcp.createKey({ scopes: ['tools.call'] })
  const { uri, approve } = await makeWait()
  const stream = await listen({ toolsListChanged: true, resourceSubscriptions: [uri] }, stranger)
  expect(stream.text()).not.toContain(uri)
  const client = await mcp.connect(stranger, { era: 'older', capabilities: { roots: {} } })
  await expect(client.subscribeResource({ uri })).rejects.toMatchObject({ data: { uri } })
  await approve()
  await sleep(500)
  expect(stream.text()).not.toContain('resources/updated')
  await stream.leave()
  await client.close()
})

test('in a session, too, a call is told of until it is given up', async () => {
  const client = await mcp.connect(key, { era: 'older', capabilities: { roots: {} } })
  const told: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(params.uri)
  })
  const [heard, given] = [await makeWait(), await makeWait()]
  await client.subscribeResource({ uri: heard.uri })
  await client.subscribeResource({ uri: given.uri })
  await client.unsubscribeResource({ uri: given.uri })
  await given.approve()
  await heard.approve()
  await expect.poll(() => told, patience).toContain(heard.uri)
  expect(told).not.toContain(given.uri)
  await client.close()
})

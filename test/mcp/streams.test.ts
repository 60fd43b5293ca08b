import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Client } from '@modelcontextprotocol/client'
import { defineTool } from '../../src/core/define-tool.ts'
import { settingsFor } from '../../src/store/contract/records.ts'
import { openStores } from '../../src/features/open-stores.ts'
import { operator } from '../setup/governed-crib.ts'
import { followStream } from './follow-stream.ts'
import { type KeyInHand, type McpCrib, modern, openMcpCrib } from './mcp-crib.ts'

const tool = (name: string) =>
  defineTool({
    name,
    description: 'One more.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'x',
  })

let mcp: McpCrib
let key: KeyInHand

beforeAll(async () => {
  mcp = await openMcpCrib({
    tools: [tool('demo.one')],
    limits: { maxStreams: 8, maxSessions: 20, maxSessionsPerCaller: 5, sessionIdleMs: 600_000 },
  })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

const listenTo = { notifications: { toolsListChanged: true, promptsListChanged: true } }
const listen = modern('subscriptions/listen', listenTo)

test('a stream tells of tools that come, and only of what was asked for', async () => {
  const both = followStream(await mcp.post(key, ...listen))
  const prompts = followStream(
    await mcp.post(
      key,
      ...modern('subscriptions/listen', { notifications: { promptsListChanged: true } }),
    ),
  )
  await expect.poll(both.text).toContain('notifications/subscriptions/acknowledged')
  await expect.poll(prompts.text).toContain('notifications/subscriptions/acknowledged')
  mcp.crib.registry.register(tool('demo.two'))
  await expect.poll(both.text).toContain('notifications/tools/list_changed')
  // Prompts are the same as before.
  expect(both.text() + prompts.text()).not.toContain('notifications/prompts/list_changed')
  expect(prompts.text()).not.toContain('notifications/tools/list_changed')
  await both.leave()
  await prompts.leave()
})

test('a client of the older eras with a session hears of changes, too', async () => {
  const client = await mcp.connect(key, { era: 'older', capabilities: { roots: {} } })
  const told = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/tools/list_changed', () => told.resolve())
  // The line for what comes by itself is opened after the handshake.
  await expect
    .poll(async () => {
      if (!mcp.crib.registry.remove('demo.three')) mcp.crib.registry.register(tool('demo.three'))
      return Promise.race([
        told.promise.then(() => 'told'),
        new Promise((resolve) => setTimeout(resolve, 300, 'silence')),
      ])
    })
    .toBe('told')
  await client.close()
})

test('a revoked key ends its stream at once', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'mcp-revoked-'))
  const store = await openStores({ kind: 'pglite', dataDir }, settingsFor())
  const real = await openMcpCrib({ tools: [tool('demo.one')], store })
  const short = await real.createKey()
  const stream = followStream(await real.post(short, ...listen))
  await expect.poll(stream.text).toContain('acknowledged')
  await real.crib.api.revokeKey(operator, { id: short.id })
  await expect.poll(stream.isOver).toBe(true)
  expect(stream.text()).toContain('"resultType":"complete"')
  await real.close()
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('one caller holds only a quarter of the streams, and who leaves makes room', async () => {
  const first = followStream(await mcp.post(key, ...listen))
  const second = followStream(await mcp.post(key, ...listen))
  const third = await mcp.post(key, ...listen)
  expect(third.status).toBe(429)
  await first.leave()
  await second.leave()
  const again = async () => {
    const response = await mcp.post(key, ...listen)
    await response.body?.cancel()
    return response.status
  }
  await expect.poll(again).toBe(200)
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'raw', version: '1' },
  },
}

async function openSession(by: KeyInHand): Promise<string> {
  const response = await mcp.post(by, initialize)
  await response.text()
  return response.headers.get('mcp-session-id') ?? ''
}

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
const inSession = (id: string) => ({ 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' })

test('a session is its opener’s alone, and ends when it says so', async () => {
  const id = await openSession(key)
  expect(id).not.toBe('')
  const own = await mcp.post(key, list, inSession(id))
  expect(own.status).toBe(200)
  const stranger = await mcp.createKey()
  expect((await mcp.post(stranger, list, inSession(id))).status).toBe(404)
  const gone = await fetch(new URL('/mcp', mcp.server.url), {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key.token}`, ...inSession(id) },
  })
  expect(gone.status).toBe(200)
  expect((await mcp.post(key, list, inSession(id))).status).toBe(404)
})

test('a client that has lost the line of its session gets another in its place', async () => {
  const id = await openSession(key)
  const line = async () =>
    followStream(
      await fetch(new URL('/mcp', mcp.server.url), {
        headers: {
          authorization: `Bearer ${key.token}`,
          accept: 'text/event-stream',
          ...inSession(id),
        },
      }),
    )
  const lost = await line()
  const found = await line()
  await expect.poll(lost.isOver).toBe(true)
  if (!mcp.crib.registry.remove('demo.three')) mcp.crib.registry.register(tool('demo.three'))
  await expect.poll(found.text).toContain('tools/list_changed')
  await found.leave()
})

test('who opens session after session loses the oldest, and nobody else does', async () => {
  const other = await mcp.createKey()
  const kept = await openSession(other)
  const ids: string[] = []
  for (let count = 0; count < 50; count += 1) ids.push(await openSession(key))
  const statuses = await Promise.all(
    ids.map(async (id) => (await mcp.post(key, list, inSession(id))).status),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.slice(-5)).toEqual([200, 200, 200, 200, 200])
  expect((await mcp.post(other, list, inSession(kept))).status).toBe(200)
})

test('a client that can be asked nothing gets a name for its session, and no more', async () => {
  const plain = { ...initialize, params: { ...initialize.params, capabilities: {} } }
  const response = await mcp.post(key, plain)
  await response.text()
  const id = response.headers.get('mcp-session-id') ?? ''
  expect([response.status, id]).toEqual([200, expect.stringMatching(/^light-[0-9a-f-]{36}$/)])
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
  // Nobody keeps it, so it never ends.
  const renamed = `light-${randomUUID()}`
  for (const session of [id, renamed]) {
    expect((await mcp.post(key, ping, { 'mcp-session-id': session })).status).toBe(200)
  }
  expect((await mcp.post(key, ping, { 'mcp-session-id': 'light-1' })).status).toBe(404)
})

test('streams end when the server drains', async () => {
  const ending = await openMcpCrib({ tools: [tool('demo.one')] })
  const owner = await ending.createKey()
  const stream = followStream(await ending.post(owner, ...listen))
  const clients: Client[] = [
    await ending.connect(owner, { era: 'older', capabilities: { roots: {} } }),
  ]
  await expect.poll(stream.text).toContain('acknowledged')
  await ending.close()
  expect(stream.isOver()).toBe(true)
  await Promise.all(clients.map((client) => client.close()))
})

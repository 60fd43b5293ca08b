import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import type { Stores } from '../../src/features/stores.ts'
import { settingsFor } from '../../src/store/contract/records.ts'
import { createTempDatabase } from '../../src/store/contract/temp-store.ts'
import { openStores } from '../../src/features/open-stores.ts'
import { hostile, textOf } from '../setup/gateway-crib.ts'
import { operator } from '../setup/governed-crib.ts'
import { type OAuthUpstream, startOAuthUpstream } from '../setup/oauth-upstream.ts'
import { followStream } from './follow-stream.ts'
import { type McpCrib, modern, openMcpCrib, readAnswer } from './mcp-crib.ts'

const tool = (name: string, more: { approval?: 'always' } = {}) =>
  defineTool({
    name,
    description: 'Mail.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'x',
    ...more,
  })
const ended: string[] = []
/** Runs until it is stopped. */
const endless = (name: string, effect: 'read' | 'write') =>
  defineTool({
    name,
    description: 'Never ends.',
    effect,
    inputSchema: z.object({}),
    execute: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          ended.push(name)
          resolve('')
        })
      }),
  })
const tools = [
  endless('mail.watch', 'read'),
  endless('mail.move', 'write'),
  tool('mail.read'),
  tool('mail.send'),
  tool('mail.purge', { approval: 'always' }),
]
const patience = { timeout: 60_000 }

let database: Awaited<ReturnType<typeof createTempDatabase>>
let upstream: OAuthUpstream
const stores: Stores[] = []
const nodes: McpCrib[] = []

beforeAll(async () => {
  upstream = await startOAuthUpstream()
  database = await createTempDatabase()
  const location = { kind: 'postgres', url: database.url } as const
  for (const name of ['here', 'there']) {
    const store = await openStores(location, settingsFor(name))
    stores.push(store)
    nodes.push(await openMcpCrib({ tools, store }))
  }
})

afterAll(async () => {
  for (const node of nodes) await node.close()
  for (const store of stores) await store.close()
  await database.drop()
  upstream.stop()
})

function bothNodes(): [McpCrib, McpCrib] {
  const [here, there] = nodes
  if (here === undefined || there === undefined) throw new Error('there are no two nodes')
  return [here, there]
}

test.each(['today', 'older'] as const)(
  'a client of the era of %s hears of tools that go and come by a decision on another node',
  async (era) => {
    const [here, there] = bothNodes()
    const told = { times: 0 }
    const client = await there.connect(await here.createKey(), {
      era,
      // Clients of older eras are told in a session, which those have that can be asked something.
      capabilities: { roots: {} },
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void (told.times += 1) },
      },
    })
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    expect(await names()).toEqual(expect.arrayContaining(['mail_read', 'mail_send']))
    const policy = { kind: 'policy', name: 'tenant' } as const
    await here.crib.api.writePolicyDocument(operator, { ...policy, body: { deny: ['mail.send'] } })
    await expect.poll(() => told.times, patience).toBeGreaterThan(0)
    told.times = 0
    await expect.poll(names, patience).not.toContain('mail_send')
    await here.crib.api.deletePolicyDocument(operator, policy)
    await expect.poll(() => told.times, patience).toBeGreaterThan(0)
    await expect.poll(names, patience).toContain('mail_send')
    await client.close()
  },
)

test('a client hears that a call has gone on by a decision on another node', async () => {
  const [here, there] = bothNodes()
  const waiting = await here.crib.api.call({ tool: 'mail.purge', input: {}, caller: operator })
  const key = await here.createKey()
  const filter = { resourceSubscriptions: [`crib://calls/${waiting.callId ?? ''}`] }
  const listen = modern('subscriptions/listen', { notifications: filter })
  const stream = followStream(await there.post(key, ...listen))
  await expect.poll(stream.text, patience).toContain('acknowledged')
  expect(stream.text()).not.toContain('resources/updated')
  await here.crib.api.decideApproval(operator, {
    id: waiting.approvalId ?? '',
    decision: 'approve',
  })
  await expect.poll(stream.text, patience).toContain('notifications/resources/updated')
  await stream.leave()
})

test('a server that was added is started anew on all nodes by whoever restarts it on one', async () => {
  const [here, there] = bothNodes()
  const text = async ({ crib }: McpCrib, tool: string) =>
    textOf(await crib.api.call({ tool: `mcp:own:${tool}`, input: {}, caller: operator }))
  await here.crib.api.addMcpServer(operator, { name: 'own', ...hostile() })
  await expect.poll(() => text(here, 'read'), patience).toBe('read 1')
  await expect.poll(() => text(there, 'read'), patience).toBe('read 1')
  await here.crib.api.refreshMcpServer(operator, { name: 'own', restart: true })
  expect(await text(here, 'read')).toBe('read 1')
  // Another process counts from one again.
  await expect.poll(() => text(there, 'read'), patience).toBe('read 1')
  await here.crib.api.removeMcpServer(operator, { name: 'own' })
})

test('restarts through several nodes at once all succeed', async () => {
  const [here, there] = bothNodes()
  await here.crib.api.addMcpServer(operator, { name: 'twice', ...hostile() })
  const isThere = async () =>
    (await there.crib.api.findMcpServer(operator, { name: 'twice' }).catch(() => undefined))?.state
  await expect.poll(isThere, patience).toBe('connected')
  const restarts = [here, there, here, there].map(({ crib }) =>
    crib.api.refreshMcpServer(operator, { name: 'twice', restart: true }),
  )
  const states = (await Promise.all(restarts)).map(({ state }) => state)
  expect(states).toEqual(states.map(() => 'connected'))
  await here.crib.api.removeMcpServer(operator, { name: 'twice' })
})

test.each([
  ['mail_watch', 'mail.watch'],
  ['mail_move', 'mail.move'],
])(
  'a cancel of an older client ends its call of %s on the other node, and only its own',
  async (wireName, name) => {
    const [here, there] = bothNodes()
    const key = await here.createKey()
    const clientInfo = { name: 'test', version: '1' }
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const begun = await here.post(key, rpc(0, 'initialize', hello))
    await begun.text()
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    const params = { name: wireName, arguments: {} }
    const answer = here.post(key, rpc(7, 'tools/call', params), session).then(readAnswer)
    const calls = async () =>
      (await here.crib.api.listCalls(operator, { tool: name, limit: 10 })).items
    if (name === 'mail.move') await expect.poll(calls, patience).toHaveLength(1)
    const cancel = rpc(undefined, 'notifications/cancelled', { requestId: 7 })
    const stranger = await here.createKey()
    expect((await there.post(stranger, cancel, session)).status).toBe(202)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(ended).not.toContain(name)
    expect((await there.post(key, cancel, session)).status).toBe(202)
    expect((await answer).result).toMatchObject({ isError: true })
    expect(ended).toContain(name)
    expect(await calls()).toMatchObject([{ status: 'cancelled' }])
  },
)

function rpc(id: number | undefined, method: string, params: object): object {
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params }
}

test('answers that come to several nodes at once decide once, and all of them get the result', async () => {
  const [here, there] = bothNodes()
  const key = await here.createKey()
  const purge = async (node: McpCrib, more: object = {}) => {
    const params = { name: 'mail_purge', arguments: {}, ...more }
    const able = { elicitation: { form: {} } }
    return readAnswer(await node.post(key, ...modern('tools/call', params, able)))
  }
  const { result } = await purge(here)
  const approval = { action: 'accept', content: { confirm: true } }
  const answer = { requestState: result?.['requestState'], inputResponses: { approval } }
  const answers = await Promise.all([here, there, here, there].map((node) => purge(node, answer)))
  expect(answers.map((one) => one.error ?? one.result?.['content'])).toEqual(
    Array.from({ length: 4 }, () => [{ type: 'text', text: 'x' }]),
  )
})

test('two nodes that find a token near its end renew it once, and both go on', async () => {
  const [here, there] = bothNodes()
  here.crib.setPublicUrl('http://localhost:4680')
  await here.crib.api.addMcpServer(operator, { name: 'docs', url: upstream.docs, oauth: {} })
  const { url } = await here.crib.api.authorizeMcpServer(operator, { name: 'docs' })
  const back = new URL(await upstream.signIn(url))
  const answer = Object.fromEntries(back.searchParams) as { state: string }
  await here.crib.api.finishMcpSignIn(answer, undefined)
  // Whoever has signed in is connected in the background, which would renew a token that ends soon.
  const isConnected = async () =>
    (await here.crib.api.findMcpServer(operator, { name: 'docs' })).state
  await expect.poll(isConnected, patience).toBe('connected')
  // Counted first: what is still asked in the background may be what renews it.
  const before = await upstream.stats()
  await letTokenEnd('docs')
  const connected = [here, there].map(async ({ crib }) => {
    await expect
      .poll(
        () =>
          crib.api.findMcpServer(operator, { name: 'docs' }).then(
            () => true,
            () => false,
          ),
        patience,
      )
      .toBe(true)
    await crib.api.refreshMcpServer(operator, { name: 'docs' })
    return crib.api.call({ tool: 'mcp:docs:whoami', input: {}, caller: operator })
  })
  const results = await Promise.all(connected)
  expect(results.map(({ status, error }) => error ?? status)).toEqual(['completed', 'completed'])
  const { refreshes, replays } = await upstream.stats()
  expect([refreshes - before.refreshes, replays - before.replays]).toEqual([1, 0])
})

/** What is stored says that the token is over in a moment. */
async function letTokenEnd(server: string): Promise<void> {
  const connections = stores[0]?.connections
  const [facts] = (await connections?.list('default', server)) ?? []
  const key = { tenant: 'default', server, subject: facts?.subject ?? '' }
  const held = await connections?.find(key, { kind: 'tokens' })
  if (connections === undefined || held === undefined) throw new Error('nobody has signed in')
  const value = { ...(held.value as object), expiresAt: Date.now() + 1000 }
  await connections.put(key, { kind: 'tokens', issuer: held.issuer, value })
}

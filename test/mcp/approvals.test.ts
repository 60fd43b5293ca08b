import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { CallRecord } from '../../src/core/kernel/call.ts'
import { defineTool } from '../../src/core/define-tool.ts'
import { type KeyInHand, type McpCrib, modern, openMcpCrib, readAnswer } from './mcp-crib.ts'

/** Calls that wait for people, and clients that answer, leave or cancel. */
let mcp: McpCrib
let key: KeyInHand
const done: string[] = []
const stopped: string[] = []

beforeAll(async () => {
  const file = z.object({ file: z.string() })
  mcp = await openMcpCrib({
    tools: [
      defineTool({
        name: 'demo.delete',
        description: 'Deletes once a person says yes.',
        effect: 'destructive',
        approval: 'always',
        inputSchema: file,
        execute: (input) => void done.push(input.file),
      }),
      defineTool({
        name: 'demo.later',
        description: 'Works on in the background.',
        effect: 'write',
        execution: 'background',
        inputSchema: file,
        async execute(input, { signal }) {
          await sleep(1_000, undefined, { signal })
          done.push(input.file)
        },
      }),
      defineTool({
        name: 'demo.outside',
        description: 'Is done by somebody outside.',
        effect: 'write',
        execution: 'external',
        inputSchema: file,
        execute: () => undefined,
      }),
      defineTool({
        name: 'demo.now',
        description: 'Works until it is stopped.',
        effect: 'write',
        inputSchema: file,
        async execute(input, { signal }) {
          done.push(input.file)
          await sleep(60_000, undefined, { signal }).catch(() => stopped.push(input.file))
        },
      }),
    ],
    limits: { waitMs: 5_000 },
  })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

async function callsOf(file: string): Promise<CallRecord[]> {
  const caller = await mcp.crib.api.authenticate(key.token, 'api')
  if (caller === undefined) throw new Error('the key is gone')
  const { items } = await mcp.crib.api.listCalls(caller, { limit: 100 })
  return items.filter(({ input }) => (input as { file: string }).file === file)
}

const able = { elicitation: { form: {} } }
const accepted = { action: 'accept', content: { confirm: true } }

async function ask(file: string, more: object = {}) {
  const params = { name: 'demo_delete', arguments: { file }, ...more }
  return (await readAnswer(await mcp.post(key, ...modern('tools/call', params, able)))).result ?? {}
}

test('a client of today that can be asked is asked to decide, and comes back with its word', async () => {
  const first = await ask('a')
  expect(first).toMatchObject({
    resultType: 'input_required',
    inputRequests: { approval: { params: { message: expect.stringContaining('demo.delete') } } },
  })
  const { requestState } = first
  // What is no answer is asked for again; the call is the same one.
  const again = await ask('a', { requestState, inputResponses: { approval: 7 } })
  expect(again).toMatchObject({ resultType: 'input_required', requestState })
  const end = await ask('a', { requestState, inputResponses: { approval: accepted } })
  expect([end['resultType'], end['isError'], done]).toEqual(['complete', undefined, ['a']])
  expect(await callsOf('a')).toHaveLength(1)
  // Once more with the same word changes nothing.
  await ask('a', { requestState, inputResponses: { approval: accepted } })
  expect(done).toEqual(['a'])
})

test('who is shown only the beginning of an input is told so', async () => {
  const { inputRequests } = await ask('x'.repeat(2_500))
  const { message } = (inputRequests as { approval: { params: { message: string } } }).approval
    .params
  expect(message.length).toBeLessThan(2_300)
  expect(message).toMatch(
    /x… \[511 more characters are not shown here; toolcrib approvals show appr_\w+ has them all\]\?/,
  )
})

test('a no is told, and who puts it off is told where to look', async () => {
  const { requestState } = await ask('b')
  const later = await ask('b', { requestState, inputResponses: { approval: { action: 'cancel' } } })
  expect(JSON.stringify(later)).toContain('waits for a person to approve it')
  const no = await ask('b', { requestState, inputResponses: { approval: { action: 'decline' } } })
  expect([no['isError'], JSON.stringify(no)]).toEqual([
    true,
    expect.stringContaining('approval_rejected'),
  ])
})

test('who may not decide is not asked, and its word does not count', async () => {
  const { requestState } = await ask('c')
  const plain = await mcp.createKey({ scopes: ['tools.call'] })
  const params = { name: 'demo_delete', arguments: { file: 'c' } }
  const forged = { ...params, requestState, inputResponses: { approval: accepted } }
  const { error } = await readAnswer(await mcp.post(plain, ...modern('tools/call', forged, able)))
  expect(error?.message).toBe('Invalid or expired requestState')
  const own = await readAnswer(await mcp.post(plain, ...modern('tools/call', params, able)))
  expect(JSON.stringify(own.result)).toContain('waits for a person to approve it')
  expect(done).not.toContain('c')
})

test('a client with a session is asked over it', async () => {
  const client = await mcp.connect(key, { era: 'older', capabilities: able })
  const asked: string[] = []
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { confirm: true } }
  })
  await client.callTool({ name: 'demo_delete', arguments: { file: 'd' } })
  expect([asked.length, done.includes('d')]).toEqual([1, true])
  await client.close()
})

function connect(era: 'older' | 'session'): Promise<Client> {
  return era === 'session'
    ? mcp.connect(key, { era: 'older', capabilities: { roots: {} } })
    : mcp.connect(key, { era: 'older' })
}

/** Gives up waiting without a word: the connection is cut. */
async function leave(name: string, file: string, how: 'today' | 'older'): Promise<void> {
  const cut = new AbortController()
  const [body, headers] =
    how === 'today'
      ? modern('tools/call', { name, arguments: { file } })
      : [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { file } } }, {}]
  const gone = fetch(new URL('/mcp', mcp.server.url), {
    method: 'POST',
    signal: cut.signal,
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${key.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  }).then(
    (response) => response.text(),
    () => undefined,
  )
  await vi.waitFor(async () => expect(await callsOf(file)).toHaveLength(1), 10_000)
  if (name === 'demo_now') await vi.waitFor(() => expect(done).toContain(file), 10_000)
  cut.abort()
  await gone.catch(() => undefined)
}

test.each(['today', 'older'] as const)(
  'what waits or works on its own outlives its client (%s)',
  async (era) => {
    const names = ['demo_delete', 'demo_later', 'demo_outside'] as const
    await Promise.all(names.map((name) => leave(name, `${era} ${name}`, era)))
    await leave('demo_now', `${era} now`, era)
    // What runs for its client alone ends with it.
    await vi.waitFor(() => expect(stopped).toContain(`${era} now`), 10_000)
    await vi.waitFor(() => expect(done).toContain(`${era} demo_later`), 20_000)
    for (const name of ['demo_delete', 'demo_outside']) {
      expect(await callsOf(`${era} ${name}`)).toMatchObject([{ status: 'waiting' }])
    }
  },
)

test.each(['older', 'session'] as const)(
  'a cancel ends every call, also one that waits (%s)',
  async (era) => {
    const client = await connect(era)
    for (const name of ['demo_delete', 'demo_later', 'demo_outside', 'demo_now']) {
      const file = `${era} cancel ${name}`
      const cancel = new AbortController()
      const call = client
        .callTool({ name, arguments: { file } }, { signal: cancel.signal })
        .catch(() => undefined)
      await vi.waitFor(async () => expect(await callsOf(file)).toHaveLength(1), 10_000)
      if (name === 'demo_now') await vi.waitFor(() => expect(done).toContain(file), 10_000)
      cancel.abort()
      await call
      await vi.waitFor(
        async () => expect(await callsOf(file)).toMatchObject([{ status: 'cancelled' }]),
        10_000,
      )
    }
    await client.close()
  },
)

/** The headers of a session of an older era. */
async function openSession(capabilities: object) {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
  const response = await mcp.post(key, { jsonrpc: '2.0', id: 0, method: 'initialize', params })
  await response.text()
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
}

test('of a request that is cancelled in a session nothing stays open', async () => {
  const session = await openSession({ roots: {} })
  const params = { name: 'demo_now', arguments: { file: 'over' } }
  const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
  const call = await mcp.post(key, request, session)
  await vi.waitFor(() => expect(done).toContain('over'), 10_000)
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
  expect((await mcp.post(key, cancel, session)).status).toBe(202)
  expect(await call.text()).not.toContain('data: ')
  await vi.waitFor(() => expect(stopped).toContain('over'), 10_000)
  // A session with a request under way would never be idle, and its id would stay taken.
  const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }
  expect((await mcp.post(key, ping, session)).status).toBe(200)
})

test('only its own client cancels a request', async () => {
  const file = 'mine'
  const session = await openSession({})
  const params = { name: 'demo_delete', arguments: { file } }
  const call = mcp.post(key, { jsonrpc: '2.0', id: 7, method: 'tools/call', params }, session)
  await vi.waitFor(async () => expect(await callsOf(file)).toHaveLength(1), 10_000)
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
  const stranger = await mcp.createKey()
  const other = {
    'mcp-session-id': session['mcp-session-id'].replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  }
  expect((await mcp.post(stranger, cancel, session)).status).toBe(202)
  expect((await mcp.post(key, cancel, other)).status).toBe(202)
  expect((await mcp.post(key, { ...cancel, params: { requestId: '7' } }, session)).status).toBe(202)
  expect(await callsOf(file)).toMatchObject([{ status: 'waiting' }])
  expect((await mcp.post(key, cancel, session)).status).toBe(202)
  await (await call).text()
  expect(await callsOf(file)).toMatchObject([{ status: 'cancelled' }])
})

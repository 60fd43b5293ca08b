import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CallContext } from '../src/core/kernel/call.ts'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { bridgeStdio } from '../src/doors/cli/mcp/bridge-stdio.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../src/doors/http/serve-http.ts'
import { createTestCrib } from '../src/testing/index.ts'

const tool = (
  name: string,
  execute: (input: { text: string | null }, context: CallContext) => unknown,
) =>
  defineTool({
    name,
    description: 'A tool for tests of clients on stdio.',
    effect: 'read',
    inputSchema: z.object({ text: z.string().nullable() }),
    execute,
  })

let crib: Crib
let server: HttpServer
let key: string
let isStopped = false
const warnings: string[] = []

beforeEach(async () => {
  isStopped = false
  crib = await createTestCrib({
    tools: [
      tool('echo.text', ({ text }) => `said ${String(text)}`),
      defineTool({
        name: 'waits.person',
        description: 'Waits until somebody says yes.',
        effect: 'write',
        approval: 'always',
        inputSchema: z.object({ text: z.string().nullable() }),
        execute: () => 'done',
      }),
      tool('echo.steps', (_input, { progress }) => {
        progress({ done: 1, total: 2, message: 'half' })
        return 'done'
      }),
      tool('asks.name', async (_input, { client }) => {
        const params = {
          message: 'Who?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        }
        const answers = await client?.ask({ who: { method: 'elicitation/create', params } })
        return answers?.['who'] ?? null
      }),
      tool(
        'waits.long',
        (_input, { signal }) =>
          new Promise<string>((resolve) => {
            const stop = () => {
              isStopped = true
              resolve('stopped')
            }
            signal.addEventListener('abort', stop, { once: true })
          }),
      ),
    ],
  })
  key = (await crib.api.createKey(ownerOf(), { name: 'stdio', scopes: ['tools.call'] })).token
  server = await serve()
})
afterEach(async () => {
  await server.close()
  await crib.close()
})

const serve = (port = 0) =>
  serveHttp(createHttpApp({ api: crib.api, version: '1' }), { port, drainMs: 100 })

/** The other end of a bridge, as two pipes. */
function open() {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const leaving = new AbortController()
  const ended = bridgeStdio({
    stdin: toServer,
    stdout: toClient,
    url: `${server.url}/mcp`,
    fetch(url, init) {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${key}`)
      return fetch(url, { ...init, headers })
    },
    signal: leaving.signal,
    onWarning: (message) => warnings.push(message),
  })
  const close = async () => {
    toServer.end()
    await ended
  }
  return { toServer, toClient, leaving, ended, close }
}

/** A client there. */
async function connect(mode: 'legacy' | 'auto', options: ClientOptions = {}) {
  const { toServer, toClient, close } = open()
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, ...options },
  )
  // The same lines in both directions: what serves on one end may ask on the other.
  await client.connect(new StdioServerTransport(toClient, toServer))
  return { client, close }
}

/** Somebody there who writes lines by hand. */
function openByHand() {
  const { toServer, toClient, ...rest } = open()
  const answers: Record<string, unknown>[] = []
  createInterface({ input: toClient }).on('line', (line) => {
    answers.push(JSON.parse(line) as Record<string, unknown>)
  })
  const say = (line: unknown) =>
    toServer.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  return { say, answers, toServer, ...rest }
}

const modes = ['auto', 'legacy'] as const

test.each(modes)('a client (%s) lists tools, calls them, and hears of progress', async (mode) => {
  const { client, close } = await connect(mode)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('echo_text')
  const said = await client.callTool({ name: 'echo_text', arguments: { text: 'hi' } })
  expect(said.content).toEqual([{ type: 'text', text: 'said hi' }])
  const seen: unknown[] = []
  const stepped = { name: 'echo_steps', arguments: {} }
  await client.callTool(stepped, { onprogress: (step) => void seen.push(step) })
  expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }])
  await close()
})

test.each(modes)('a client (%s) that can be asked nothing hears of new tools', async (mode) => {
  let told = 0
  let hidden = ''
  const onChanged = () => void (told += 1)
  const hide = (deny: string[]) =>
    crib.api.writePolicyDocument(ownerOf(), { kind: 'policy', name: 'tenant', body: { deny } })
  const { client, close } = await connect(mode, {
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
  })
  expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true })
  await client.listTools()
  // The line for what comes by itself is opened after the handshake.
  await expect
    .poll(
      async () => {
        await hide([(hidden = hidden === 'echo.text' ? 'echo.steps' : 'echo.text')])
        await new Promise((resolve) => setTimeout(resolve, 300))
        return told
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0)
  await close()
})

test.each(modes)('a client (%s) answers what a tool asks', async (mode) => {
  const { client, close } = await connect(mode, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }))
  const { content } = await client.callTool({ name: 'asks_name', arguments: {} })
  expect(JSON.parse((content[0] as { text: string }).text)).toMatchObject({
    action: 'accept',
    content: { name: 'Ada' },
  })
  await close()
})

test.each([
  ['auto', {}],
  ['legacy', { capabilities: { elicitation: { form: {} } } }],
] as const)('what a client (%s) cancels is stopped', async (mode, options) => {
  const { client, close } = await connect(mode, options)
  const leaving = new AbortController()
  const call = { name: 'waits_long', arguments: {} }
  const asked = client.callTool(call, { signal: leaving.signal })
  const refused = asked.then(
    () => 'answered',
    (error: unknown) => String(error),
  )
  await expect
    .poll(async () => (await crib.api.listCalls(ownerOf(), { limit: 5 })).items.length)
    .toBe(1)
  leaving.abort('enough')
  expect(await refused).toMatch(/enough/)
  await expect.poll(() => isStopped).toBe(true)
  await close()
})

test('a session that the server has lost is begun again, unseen by the client', async () => {
  const { client, close } = await connect('legacy', {
    capabilities: { elicitation: { form: {} } },
  })
  await client.listTools()
  const { port } = server
  await server.close()
  server = await serve(port)
  const call = { name: 'echo_text', arguments: { text: 'again' } }
  // A connection that dies while it is used is told; only the session is mended.
  const said = async () => (await client.callTool(call)).content
  await expect.poll(said).toEqual([{ type: 'text', text: 'said again' }])
  await close()
})

test('a client that only listens hears again what it wanted to, once the server is back', async () => {
  const caller = ownerOf()
  const made = await crib.api.call({ tool: 'waits.person', input: { text: null }, caller })
  const uri = `crib://calls/${made.callId ?? ''}`
  key = (await crib.api.createKey(caller, { name: 'all', scopes: ['*'] })).token
  const { client, close } = await connect('legacy')
  const told = { lists: 0, updates: 0 }
  let hidden = ''
  client.setNotificationHandler('notifications/tools/list_changed', () => void (told.lists += 1))
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.updates += params.uri === uri ? 1 : 0
  })
  await client.subscribeResource({ uri })
  const patience = { timeout: 60_000, interval: 300 }
  // The line for what comes by itself is opened after the handshake.
  await expect
    .poll(async () => {
      const body = { deny: [(hidden = hidden === 'echo.text' ? 'echo.steps' : 'echo.text')] }
      await crib.api.writePolicyDocument(caller, { kind: 'policy', name: 'tenant', body })
      return told.lists
    }, patience)
    .toBeGreaterThan(0)
  const { port } = server
  await server.close()
  const before = told.lists
  server = await serve(port)
  // What has changed meanwhile nobody knows, so the client has to look.
  await expect.poll(() => [told.lists > before, told.updates], patience).toEqual([true, 1])
  await crib.api.decideApproval(caller, { id: made.approvalId ?? '', decision: 'approve' })
  await expect.poll(() => told.updates, patience).toBeGreaterThan(1)
  await close()
})

test.each(modes)(
  'a client (%s) whose call is cut off is told that it may have happened',
  async (mode) => {
    const { client, close } = await connect(mode)
    const said = client.callTool({ name: 'waits_long', arguments: {} }).catch(String)
    const running = async () => (await crib.api.listCalls(ownerOf(), { limit: 1 })).items.length
    await expect.poll(running).toBe(1)
    await server.close()
    expect(await said).toMatch(/may have run anyway/)
    // What never left has not happened.
    const refused = () => client.callTool({ name: 'echo_text', arguments: {} }).catch(String)
    await expect.poll(refused).toMatch(/ECONNREFUSED [\d.:]+$/)
    await close()
  },
)

test('a server that is gone is told as an error of the request', async () => {
  const { client, close } = await connect('auto')
  await server.close()
  const said = client.callTool({ name: 'echo_text', arguments: { text: 'hi' } })
  await expect(said).rejects.toThrow(/does not answer/)
  await close()
})

const frame = { jsonrpc: '2.0' } as const
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

test.each<[line: unknown, id: unknown, code: number]>([
  ['hello', null, -32700],
  ['{"jsonrpc":"2.0","id":1', null, -32700],
  [[{ ...frame, id: 1, method: 'tools/list' }], null, -32600],
  [[], null, -32600],
  ['null', null, -32600],
  ['7', null, -32600],
  [{ ...frame, id: 5, method: 7 }, 5, -32600],
  [{ ...frame, id: 'a' }, 'a', -32600],
  [{ ...frame, id: null, method: 'ping' }, null, -32600],
  [{ ...frame, id: {}, method: 'ping' }, null, -32600],
  [{ ...frame, method: 7 }, null, -32600],
  [{ id: 5, method: 'ping' }, 5, -32600],
  [{ ...frame, id: 5, method: 'ping', params: [1] }, 5, -32600],
  [{ ...frame, id: 5, method: 'ping', more: 1 }, 5, -32600],
  [{ ...frame, id: 1.5, method: 'ping' }, 1.5, -32600],
])('a line that is no message is answered, and the next is served: %j', async (line, id, code) => {
  const { say, answers, close } = openByHand()
  say(line)
  await expect.poll(() => answers).toHaveLength(1)
  expect(answers[0]).toEqual({
    jsonrpc: '2.0',
    id,
    error: { code, message: expect.any(String) },
  })
  say('')
  say({ ...frame, id: 2, method: 'tools/list', params: { ['_meta']: modernMeta } })
  await expect.poll(() => answers[1]).toMatchObject({ id: 2, result: {} })
  expect(answers).toHaveLength(2)
  await close()
})

test('answers are not answered, whatever is wrong with them', async () => {
  const { say, answers, close } = openByHand()
  warnings.length = 0
  say({ ...frame, id: null, error: { code: -32700, message: 'no' } })
  say({ ...frame, id: 9, result: 7 })
  say({ ...frame, id: 2, method: 'tools/list' })
  await expect.poll(() => answers).toHaveLength(1)
  expect([answers[0]?.['id'], warnings.length]).toEqual([2, 2])
  await close()
})

test('a message may come in pieces, and several at once', async () => {
  const { toServer, answers, close } = openByHand()
  const lists = [1, 2].map((id) => `${JSON.stringify({ ...frame, id, method: 'tools/list' })}\r\n`)
  const bytes = Buffer.from(lists.join(''))
  for (const piece of [bytes.subarray(0, 5), bytes.subarray(5, 30), bytes.subarray(30)]) {
    toServer.write(piece)
  }
  await expect.poll(() => new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2]))
  await close()
})

test.each([
  ['modern', { ['_meta']: modernMeta }],
  ['legacy', {}],
])(
  'of two requests under one id (%s) the second is refused, and the first goes on',
  async (_era, more) => {
    const { say, answers, close } = openByHand()
    const params = { name: 'waits_long', arguments: {}, ...more }
    say({ ...frame, id: 1, method: 'tools/call', params })
    say({ ...frame, id: 1, method: 'tools/call', params })
    await expect.poll(() => answers).toMatchObject([{ id: 1, error: { code: -32600 } }])
    await expect
      .poll(async () => (await crib.api.listCalls(ownerOf(), { limit: 5 })).items.length)
      .toBe(1)
    say({ ...frame, method: 'notifications/cancelled', params: { requestId: 1 } })
    await expect.poll(() => isStopped).toBe(true)
    say({ ...frame, id: 1, method: 'tools/list', params: more })
    await expect.poll(() => answers[1]).toMatchObject({ id: 1, result: {} })
    await close()
  },
)

test('what is cancelled in a session has no answer, and leaves its id to the next', async () => {
  const { say, answers, close } = openByHand()
  const clientInfo = { name: 'test', version: '1' }
  const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  say({ ...frame, id: 0, method: 'initialize', params: opening })
  await expect.poll(() => answers).toHaveLength(1)
  say({ ...frame, method: 'notifications/initialized' })
  say({ ...frame, id: 1, method: 'tools/call', params: { name: 'waits_long', arguments: {} } })
  await expect
    .poll(async () => (await crib.api.listCalls(ownerOf(), { limit: 5 })).items.length)
    .toBe(1)
  say({ ...frame, method: 'notifications/cancelled', params: { requestId: 1 } })
  await expect.poll(() => isStopped).toBe(true)
  say({ ...frame, id: 1, method: 'ping' })
  await expect.poll(() => answers.slice(1)).toEqual([{ ...frame, id: 1, result: {} }])
  await close()
})

test('it ends when it is told to, and when nobody reads it any more', async () => {
  const told = open()
  const unread = open()
  told.leaving.abort()
  unread.toClient.destroy(new Error('EPIPE'))
  expect(await Promise.all([told.ended, unread.ended])).toEqual([undefined, undefined])
})

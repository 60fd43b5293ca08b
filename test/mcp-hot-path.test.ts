import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallContext } from '../src/core/kernel/call.ts'
import { contentOutput } from '../src/core/kernel/content.ts'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../src/doors/http/serve-http.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf()
const tool = (
  name: string,
  execute: (input: { text: string | null }, context: CallContext) => unknown,
  more = {},
) =>
  defineTool({
    name,
    description: 'A tool for tests of the two ways that lead to it.',
    effect: 'read',
    inputSchema: z.object({ text: z.string().nullable() }),
    execute,
    ...more,
  })

let crib: Crib
let server: HttpServer
let key: string
let stopped: ((value: string) => void) | undefined

beforeAll(async () => {
  crib = await createTestCrib({
    tools: [
      tool('echo.text', ({ text }) => `said ${String(text)}`),
      tool('echo.object', ({ text }) => ({ text: text ?? 'ü "quoted"' }), {
        outputSchema: z.object({ text: z.string() }),
      }),
      tool('echo.number', () => 7),
      tool('echo.large', () => ({ text: 'x'.repeat(100_000) }), {
        maxOutputBytes: 2000,
        outputSchema: z.object({ text: z.string() }),
      }),
      tool('echo.picture', () =>
        contentOutput([{ type: 'image', data: 'aGk=', mimeType: 'image/png' }]),
      ),
      tool('fails.always', () => {
        throw new Error('no such thing')
      }),
      tool('asks.client', (_input, { client }) =>
        client?.ask({ who: { method: 'elicitation/create', params: { message: 'Who?' } } }),
      ),
      tool('asks.person', () => 'done', { effect: 'write', approval: 'always' }),
      tool(
        'waits.long',
        (_input, { signal }) =>
          new Promise<string>((resolve) => {
            stopped = resolve
            signal.addEventListener('abort', () => resolve('stopped'), { once: true })
          }),
      ),
    ],
    config: { agents: [{ slug: 'support', tools: { allow: ['echo.*'] } }] },
  })
  key = (await crib.api.createKey(owner, { name: 'mcp', scopes: ['tools.call'] })).token
  server = await serveHttp(
    createHttpApp({ api: crib.api, version: '1.2.3', mcpLimits: { waitMs: 50 } }),
    { port: 0 },
  )
})
afterAll(async () => {
  await server.close()
  await crib.close()
})

interface Sent {
  name?: string
  args?: unknown
  id?: unknown
  path?: string
  headers?: Record<string, string>
  meta?: Record<string, unknown>
  token?: string
  signal?: AbortSignal
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

function toRequest(era: 'modern' | 'legacy', sent: Sent): RequestInit {
  const { name = 'echo_text', args = { text: 'hi' }, id = 1, token = key } = sent
  const modern = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  const older = { 'mcp-protocol-version': '2025-11-25' }
  const meta = { ...(era === 'modern' && envelope), ...sent.meta }
  const body = {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name,
      arguments: args,
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    },
  }
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      ...(era === 'modern' ? modern : older),
      ...sent.headers,
    },
    body: JSON.stringify(body),
    ...(sent.signal && { signal: sent.signal }),
  }
}

/** Told apart by the header that only the SDK's way needs: a page of our own. */
async function send(way: 'short' | 'long', era: 'modern' | 'legacy', sent: Sent) {
  const origin = way === 'long' ? { origin: server.url } : undefined
  const headers = { ...sent.headers, ...origin }
  const request = toRequest(era, { ...sent, headers })
  const reply = await fetch(`${server.url}${sent.path ?? '/mcp'}`, request)
  const text = await reply.text()
  const data = /^data: (.*)$/m.exec(text)?.[1]
  return {
    status: reply.status,
    type: reply.headers.get('content-type')?.split(';')[0],
    body: JSON.parse(hideIds(data ?? text)) as Record<string, unknown>,
  }
}

/** Every call has an id of its own. */
const hideIds = (text: string) => text.replaceAll(/\b([a-z]{2,5})_[0-9a-z]{8,64}/g, '$1_x')

const cases: [string, Sent][] = [
  ['a text', {}],
  ['an object', { name: 'echo_object', args: {} }],
  ['a canonical name', { name: 'echo.object', args: { text: 'ü' } }],
  ['a number', { name: 'echo_number', args: {} }],
  ['an output that is cut', { name: 'echo_large', args: {} }],
  ['a picture', { name: 'echo_picture', args: {} }],
  ['a failure', { name: 'fails_always', args: {} }],
  ['a question that nobody can answer', { name: 'asks_client', args: {} }],
  ['a person who has to approve', { name: 'asks_person', args: {} }],
  ['unfit input', { args: { text: 7 } }],
  ['no such tool', { name: 'nobody', args: {} }],
  ['the address of an agent', { path: '/mcp/support' }],
  ['a tool that the agent has not', { path: '/mcp/support', name: 'fails_always' }],
  ['an agent that is not there', { path: '/mcp/nobody' }],
  ['an id that is text', { id: 'seven' }],
  ['no key that is known', { token: 'crib_nobody' }],
]

test.each(cases)("both ways answer the same of today's era: %s", async (_what, sent) => {
  const long = await send('long', 'modern', sent)
  expect(await send('short', 'modern', sent)).toEqual(long)
})

test.each(cases)('and of the older eras, as JSON: %s', async (_what, sent) => {
  const [long, short] = [await send('long', 'legacy', sent), await send('short', 'legacy', sent)]
  expect([short.status, short.body]).toEqual([long.status, long.body])
})

test.each<[string, Sent]>([
  ['another name in the header', { headers: { 'mcp-name': 'other' } }],
  ['another version in the header', { headers: { 'mcp-protocol-version': '2025-11-25' } }],
  ['an unknown version', { meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }],
  ['no capabilities', { meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } }],
  ['clientInfo that is none', { meta: { 'io.modelcontextprotocol/clientInfo': 7 } }],
  ['a progress token', { meta: { progressToken: 1 } }],
  ['arguments that are no object', { args: [1] }],
  ['an id that is none', { id: null }],
  ['a client that wants JSON alone', { headers: { accept: 'application/json' } }],
  ['another content type', { headers: { 'content-type': 'text/plain' } }],
])('what is unusual is left to the long way: %s', async (_what, sent) => {
  const long = await send('long', 'modern', sent)
  expect(await send('short', 'modern', sent)).toEqual(long)
})

test('bodies that are no JSON, or nest too deep, are refused in words of JSON-RPC', async () => {
  for (const body of ['{', '[1', `{"a":${'['.repeat(500)}${']'.repeat(500)}}`]) {
    const request = { ...toRequest('legacy', {}), body }
    const reply = await fetch(`${server.url}/mcp`, request)
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } },
    ])
  }
})

/** Sends a call that takes long, and leaves once it runs. */
async function leaveInTheMiddle(
  request: RequestInit,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const leaving = new AbortController()
  stopped = undefined
  const asked = fetch(`${server.url}/mcp`, { ...request, signal: leaving.signal })
    .then((reply) => reply.text())
    .catch(() => 'left')
  await expect.poll(() => stopped).toBeDefined()
  await meanwhile()
  leaving.abort()
  expect(await asked).toBe('left')
}

const lastCall = async (tool: string) =>
  (await crib.api.listCalls(owner, { tool, limit: 1 })).items[0]

test.each([
  ['modern', 'short'],
  ['modern', 'long'],
  ['legacy', 'short'],
  ['legacy', 'long'],
] as const)('a client that leaves has cancelled its call: %s, the %s way', async (era, way) => {
  const headers: Record<string, string> = way === 'long' ? { origin: server.url } : {}
  await leaveInTheMiddle(toRequest(era, { name: 'waits_long', args: {}, headers }))
  await expect.poll(() => lastCall('waits.long')).toMatchObject({ status: 'cancelled' })
})

test('so has one in a session, whose stream can not be taken up again', async () => {
  const opened = await fetch(`${server.url}/mcp`, {
    ...toRequest('legacy', {}),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { elicitation: {} },
        clientInfo: { name: 'test', version: '1' },
      },
    }),
  })
  await opened.text()
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const request = toRequest('legacy', { name: 'waits_long', args: {}, id: 5, headers })
  await leaveInTheMiddle(request, async () => {
    // Two of one id could not be told apart, by who answers nor by who cancels.
    const twin = await send('short', 'legacy', { id: 5, headers })
    expect([twin.status, twin.body]).toMatchObject([400, { id: 5, error: { code: -32600 } }])
  })
  await expect.poll(() => lastCall('waits.long')).toMatchObject({ status: 'cancelled' })
  // The session is as it was.
  const next = await send('short', 'legacy', { id: 6, headers })
  expect(next.body).toMatchObject({ id: 6, result: { content: [{ text: 'said hi' }] } })
})

/** Sends a call and leaves while the server stands in the midst of this; then lets it go on. */
async function leaveDuring(step: 'authenticate' | 'runOperation', sent: Sent): Promise<void> {
  const reached = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const real = crib.api[step] as (...args: unknown[]) => unknown
  let isSlow = false
  async function slowly(...args: unknown[]): Promise<unknown> {
    if (isSlow) {
      reached.resolve()
      await gate.promise
    }
    return real.apply(crib.api, args)
  }
  const api = { ...crib.api, [step]: slowly }
  const slow = await serveHttp(createHttpApp({ api, version: '1' }), { port: 0, drainMs: 100 })
  // The door is opened by the first that comes.
  await (await fetch(`${slow.url}/mcp`, toRequest('modern', {}))).text()
  isSlow = true
  const leaving = new AbortController()
  const asked = fetch(`${slow.url}/mcp`, { ...toRequest('modern', sent), signal: leaving.signal })
  await reached.promise
  leaving.abort()
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  // Until the server has noticed, which is in this process: after some turns of its loop.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, 30))
  gate.resolve()
  await new Promise((resolve) => setTimeout(resolve, 300))
  await slow.close()
}

test.each(['echo_object', 'asks_person'])(
  'of who leaves before it is known who it is no call is made: %s',
  async (name) => {
    const tool = name.replace('_', '.')
    const before = await lastCall(tool)
    await leaveDuring('authenticate', { name, args: {} })
    expect(await lastCall(tool)).toEqual(before)
  },
)

test('a call that asks a client that has just left does not wait for it', async () => {
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
  await leaveDuring('runOperation', { name: 'asks_client', args: {}, meta })
  await expect.poll(() => lastCall('asks.client')).toMatchObject({ status: 'cancelled' })
})

test('the short way is taken: it alone answers the older eras in JSON', async () => {
  expect((await send('short', 'legacy', {})).type).toBe('application/json')
  expect((await send('long', 'legacy', {})).type).toBe('text/event-stream')
})

test('calls of the short way are on record, with their door', async () => {
  await send('short', 'modern', { args: { text: 'on record' } })
  const { items } = await crib.api.listCalls(owner, { tool: 'echo.text', limit: 1 })
  expect(items[0]).toMatchObject({
    runtime: 'mcp',
    input: { text: 'on record' },
    output: 'said on record',
    status: 'completed',
  })
})

import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { afterEach, expect, test } from 'vitest'
import { type GatewayCrib, openGatewayCrib, textOf, until } from './setup/gateway-crib.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

interface Upstream {
  url: string
  /** What came in, oldest first. */
  seen: { method: string; headers: Record<string, string>; body: Record<string, unknown> }[]
  http: HttpServer
}

/** Serves a fetch handler on loopback. */
async function serve(handle: (request: Request) => Promise<Response>): Promise<Upstream> {
  const seen: Upstream['seen'] = []
  const http = createHttpServer((incoming, outgoing) => void answer(incoming, outgoing))
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const headers = incoming.headers as Record<string, string>
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    seen.push({ method: incoming.method ?? '', headers, body })
    const url = `http://127.0.0.1${incoming.url}`
    const init = { method: incoming.method ?? 'GET', headers, ...(text !== '' && { body: text }) }
    const response = await handle(new Request(url, init))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body === null) outgoing.end()
    else Readable.fromWeb(response.body as never).pipe(outgoing)
  }
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  open.push(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, seen, http }
}

const none = fromJsonSchema({ type: 'object', properties: {} })

function createModern(): McpServer {
  const server = new McpServer({ name: 'modern', version: '1' })
  const region = { type: 'string', 'x-mcp-header': 'Region' }
  const inputSchema = fromJsonSchema({ type: 'object', properties: { region } })
  server.registerTool('where', { inputSchema }, (input) => ({
    content: [{ type: 'text', text: JSON.stringify(input) }],
  }))
  server.registerTool('steps', { inputSchema: none }, async (_input, { mcpReq }) => {
    const { _meta: meta } = mcpReq
    const progressToken = meta?.progressToken ?? ''
    const params = { progressToken, progress: 1, total: 2, message: 'half' }
    await mcpReq.notify({ method: 'notifications/progress', params })
    return { content: [{ type: 'text', text: 'done' }] }
  })
  server.registerTool('big', { inputSchema: none }, () => ({
    content: [{ type: 'text', text: 'x'.repeat(3_000_000) }],
  }))
  return server
}

async function openOn(
  url: string,
  more: Parameters<typeof openGatewayCrib>[0][string] = {},
): Promise<GatewayCrib> {
  const env = { HUB_KEY: 'hub-key-123456' }
  const crib = await openGatewayCrib({ web: { url, ...more } }, { env })
  open.push(() => crib.close())
  await until(async () => Object.keys(await crib.tools('mcp:web:')).length > 0)
  return crib
}

test('a modern server is reached with the headers it wants, and its stream is followed', async () => {
  const handler = createMcpHandler(createModern)
  const upstream = await serve((request) => handler.fetch(request))
  const headers = { authorization: 'Bearer env:HUB_KEY' }
  const crib = await openOn(upstream.url, { headers, maxResultBytes: 1_000_000 })
  expect(textOf(await crib.call('mcp:web:where', { region: 'Köln' }))).toBe('{"region":"Köln"}')
  const call = upstream.seen.findLast(({ body }) => body['method'] === 'tools/call')
  expect(call?.headers).toMatchObject({
    authorization: 'Bearer hub-key-123456',
    'mcp-method': 'tools/call',
    'mcp-name': 'where',
    'mcp-protocol-version': '2026-07-28',
    'mcp-param-region': '=?base64?S8O2bG4=?=',
  })
  const told: unknown[] = []
  const onOutput = (output: unknown) => void told.push(output)
  expect(textOf(await crib.call('mcp:web:steps', {}, { onOutput }))).toBe('done')
  expect(told).toEqual([{ progress: { done: 1, total: 2, message: 'half' } }])
  const { error } = await crib.call('mcp:web:big')
  expect(error?.message).toContain('maxResultBytes')
})

/** The older protocol with sessions, written by hand so that it can forget them. */
function createForgetful(status = 404) {
  const sessions = new Set<string>()
  let started = 0
  const json = (id: unknown, result: object, headers: Record<string, string> = {}) =>
    Response.json({ jsonrpc: '2.0', id, result }, { headers })
  async function handle(request: Request): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    const { id, method } = (await request.json()) as { id?: number; method: string }
    if (method === 'initialize') {
      const session = `s${(started += 1)}`
      sessions.add(session)
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      }
      return json(id, result, { 'mcp-session-id': session })
    }
    if (method === 'server/discover') {
      const error = { code: -32_601, message: 'Method not found' }
      return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 })
    }
    const session = request.headers.get('mcp-session-id') ?? ''
    if (!sessions.has(session)) return new Response('No valid session ID', { status })
    if (id === undefined) return new Response(null, { status: 202 })
    if (method === 'tools/list') {
      return json(id, { tools: [{ name: 'which', inputSchema: { type: 'object' } }] })
    }
    return json(id, { content: [{ type: 'text', text: session }] })
  }
  return { handle, forget: () => sessions.clear() }
}

test('a forgotten session is started again without losing a call', async () => {
  const { handle, forget } = createForgetful()
  const upstream = await serve(handle)
  const crib = await openOn(upstream.url)
  expect(textOf(await crib.call('mcp:web:which'))).toBe('s1')
  forget()
  expect(textOf(await crib.call('mcp:web:which'))).toBe('s2')
  const status = crib.gateway.findStatus({ tenant: 'default', server: 'web' })
  expect(status?.verdict).toMatchObject({ era: 'legacy', version: '2025-06-18' })
})

test('a server that needs an impossible sign-in is reported so, and not as down', async () => {
  const challenge = { 'www-authenticate': 'Bearer resource_metadata="https://nowhere.invalid/"' }
  const upstream = await serve(async () => new Response(null, { status: 401, headers: challenge }))
  const crib = await openGatewayCrib({ web: { url: upstream.url } })
  open.push(() => crib.close())
  const status = () => crib.gateway.findStatus({ tenant: 'default', server: 'web' })
  await until(() => status()?.state === 'unauthorized')
  expect(status()?.reason).toContain('sign-in')
})

test('a missing server is down, and is connected again when it is back', async () => {
  const handler = createMcpHandler(createModern)
  let isBack = false
  const upstream = await serve(async (request) =>
    isBack ? handler.fetch(request) : new Response('no', { status: 503 }),
  )
  const crib = await openGatewayCrib({ web: { url: upstream.url } })
  open.push(() => crib.close())
  await until(() => crib.gateway.counts().down === 1)
  isBack = true
  await until(async () => (await crib.tools('mcp:web:'))['mcp:web:where'] === 'ready')
  expect(crib.gateway.counts()).toMatchObject({ connected: 1, down: 0 })
})

const statusOf = (crib: GatewayCrib) =>
  crib.gateway.findStatus({ tenant: 'default', server: 'web' })

test('a server that refuses a forgotten session with 400 gets a new one and is not down', async () => {
  const { handle, forget } = createForgetful(400)
  const upstream = await serve(handle)
  const crib = await openOn(upstream.url)
  for (const session of ['s2', 's3', 's4']) {
    forget()
    expect(textOf(await crib.call('mcp:web:which'))).toBe(session)
  }
  expect(statusOf(crib)).toMatchObject({ state: 'connected', restarts: 0 })
  forget()
  await crib.gateway.refresh({ tenant: 'default', server: 'web' })
  expect(textOf(await crib.call('mcp:web:which'))).toBe('s5')
})

test('an unreachable server is down, and is listed again when it is back', async () => {
  let names = ['where']
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'modern', version: '1' })
    for (const name of names) {
      server.registerTool(name, { inputSchema: none }, () => ({ content: [] }))
    }
    return server
  })
  const upstream = await serve((request) => handler.fetch(request))
  const { port } = upstream.http.address() as AddressInfo
  const crib = await openOn(upstream.url)
  upstream.http.closeAllConnections()
  await new Promise((resolve) => upstream.http.close(resolve))
  await until(async () => {
    await crib.call('mcp:web:where')
    return statusOf(crib)?.state === 'down'
  })
  expect(statusOf(crib)).toMatchObject({
    reason: expect.stringContaining('ECONNREFUSED') as string,
  })
  names = ['where', 'whither']
  await new Promise<void>((resolve) => upstream.http.listen(port, '127.0.0.1', resolve))
  await until(async () => (await crib.tools('mcp:web:'))['mcp:web:whither'] === 'ready')
})

test('a list that does not come is named as the reason, and asked for again', async () => {
  const handler = createMcpHandler(createModern)
  let isIll = true
  const upstream = await serve(async (request) => {
    const { id, method } = (await request.clone().json()) as { id: number; method: string }
    if (method !== 'tools/list' || !isIll) return handler.fetch(request)
    const error = { code: -32_603, message: 'database is locked' }
    return Response.json({ jsonrpc: '2.0', id, error })
  })
  const crib = await openGatewayCrib({ web: { url: upstream.url } })
  open.push(() => crib.close())
  await until(() => statusOf(crib)?.reason !== undefined)
  expect(statusOf(crib)).toMatchObject({
    state: 'connected',
    reason: 'its tools could not be listed: database is locked',
    retryAt: expect.any(Number) as number,
  })
  isIll = false
  await until(async () => (await crib.tools('mcp:web:'))['mcp:web:where'] === 'ready')
  expect(statusOf(crib)).not.toHaveProperty('reason')
})

test('an answer over the limit that comes as events is refused as too large and not asked for twice', async () => {
  const upstream = await serve(async (request) => {
    const { id, method } = (await request.clone().json()) as { id: number; method: string }
    if (method !== 'tools/call') return createMcpHandler(createReader).fetch(request)
    const text = 'x'.repeat(2_000_000)
    const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(`data: ${JSON.stringify(answer)}\n\n`, { headers })
  })
  const crib = await openOn(upstream.url, { maxResultBytes: 1_000_000 })
  const { error } = await crib.call('mcp:web:read')
  expect(error).toMatchObject({ retryable: false })
  expect(error?.message).toContain('over 1000000 bytes')
  expect(upstream.seen.filter(({ body }) => body['method'] === 'tools/call')).toHaveLength(1)
})

function createReader(): McpServer {
  const server = new McpServer({ name: 'reader', version: '1' })
  const annotations = { readOnlyHint: true }
  server.registerTool('read', { inputSchema: none, annotations }, () => ({ content: [] }))
  return server
}

test('an invalid answer to the request is reported at once as the fault of the server', async () => {
  const bodies = [
    '{"jsonrpc": "2.0", oops',
    '',
    JSON.stringify({ jsonrpc: '2.0', id: 'x', result: {} }),
  ]
  const upstream = await serve(async (request) => {
    const { method } = (await request.clone().json()) as { method: string }
    if (method !== 'tools/call') return createMcpHandler(createModern).fetch(request)
    return new Response(bodies.shift(), { headers: { 'content-type': 'application/json' } })
  })
  const crib = await openOn(upstream.url)
  while (bodies.length > 0) {
    const { error } = await crib.call('mcp:web:where', { region: 'eu' })
    // It may have been done all the same.
    expect(error?.code).toBe('outcome_unknown')
    expect(error?.message).toContain('something else than JSON-RPC')
  }
})

test('an older server is told the limit that holds, too, and is not asked twice', async () => {
  const { handle } = createForgetful()
  const upstream = await serve(async (request) => {
    const { id, method } = (await request
      .clone()
      .json()
      .catch(() => ({}))) as { id?: number; method?: string }
    if (method !== 'tools/call') return handle(request)
    const text = 'x'.repeat(20_000_000)
    const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(`data: ${JSON.stringify(answer)}\n\n`, { headers })
  })
  const crib = await openOn(upstream.url, { maxResultBytes: 1_000_000, effects: { which: 'read' } })
  const { error } = await crib.call('mcp:web:which')
  expect(error).toMatchObject({ retryable: false })
  expect(error?.message).toContain('over 1000000 bytes')
  expect(upstream.seen.filter(({ body }) => body['method'] === 'tools/call')).toHaveLength(1)
})

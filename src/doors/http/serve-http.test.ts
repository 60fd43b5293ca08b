import { afterEach, expect, test } from 'vitest'
import { serveHttp } from './serve-http.ts'
import type { HttpServer, ListenOptions } from './serve-http.ts'
import { openDoor, ownerKey } from './testing/open-door.ts'
import type { OpenDoor } from './testing/open-door.ts'
import { connectRaw, rawRequest } from './testing/raw-client.ts'
import type { HttpAppOptions } from './create-http-app.ts'

const servers: HttpServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

interface Served extends OpenDoor {
  server: HttpServer
}

async function serve(
  options: Partial<ListenOptions> = {},
  app: Partial<HttpAppOptions> = {},
): Promise<Served> {
  const door = openDoor(app)
  const server = await serveHttp(door.app, { port: 0, drainMs: 500, ...options })
  servers.push(server)
  return { ...door, server }
}

const calls = (tool: string) => `/api/v1/tools/${tool}/calls`
const post = { method: 'POST', headers: { ...ownerKey, 'content-type': 'application/json' } }
const isHealthy = async ({ server }: Served) => (await fetch(`${server.url}/healthz`)).status

test.each([
  ['a call', calls('text.echo'), '{"input":{"a":"ü"}}', {}],
  ['an empty call', calls('text.echo'), '', {}],
  ['an escaped name', calls('mcp%3Adocs%3Asearch'), '{}', {}],
  ['a denied call', calls('billing.refund'), '{}', {}],
  ['an unknown tool', calls('nope'), '{}', {}],
  ['a call that goes on', calls('report.build'), '{}', {}],
  ['an asynchronous call', calls('text.echo'), '{}', { prefer: 'respond-async, wait=5' }],
  ['a wrong key', calls('text.echo'), '{}', { authorization: 'Bearer crib_wrong' }],
  ['no JSON', calls('text.echo'), '{"input"', {}],
  ['no JSON type', calls('text.echo'), '{}', { 'content-type': 'text/plain' }],
  ['an unknown field', calls('text.echo'), '{"inputs":{}}', {}],
])('%s is answered alike with and without a network', async (...[, path, body, headers]) => {
  const served = await serve()
  const request = {
    method: 'POST',
    body,
    headers: { ...post.headers, 'x-request-id': 'r1', ...headers },
  }
  const far = await fetch(served.server.url + path, request)
  const near = await openDoor().app.request(path, request)
  const facts = async (response: Response) => {
    const kept = [...response.headers].filter(
      ([name]) => !['date', 'connection', 'keep-alive', 'content-length'].includes(name),
    )
    return { status: response.status, headers: kept, text: await response.text() }
  }
  expect(await facts(far)).toEqual(await facts(near))
  expect(far.headers.get('content-length')).not.toBeNull()
})

test('the globals of the process stay as they are', async () => {
  const { Response: before } = globalThis
  const { server } = await serve()
  expect(globalThis.Response).toBe(before)
  expect((await fetch(`${server.url}/healthz`)) instanceof Response).toBe(true)
})

test('a body that comes in pieces is read whole, by its length and in chunks', async () => {
  const served = await serve()
  const body = '{"input":{"text":"grüße"}}'
  const client = await connectRaw(served.server.port)
  const bytes = Buffer.from(rawRequest('POST', calls('text.echo'), { body }))
  // Split inside the two bytes of a character, too.
  for (const byte of bytes) {
    client.socket.write(Buffer.from([byte]))
    if (byte > 0x7f) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  expect(await client.until(/"output"/)).toContain('{"text":"grüße"}')
  client.socket.destroy()
  const stream = new ReadableStream({
    async start(controller) {
      for (const piece of body) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
  const chunked = await fetch(served.server.url + calls('text.echo'), {
    ...post,
    body: stream,
    duplex: 'half',
  })
  expect(await chunked.json()).toMatchObject({ output: { text: 'grüße' } })
})

test('requests on one connection are answered in their order', async () => {
  const { server } = await serve()
  const client = await connectRaw(server.port)
  const slow = rawRequest('POST', calls('time.pause'), { body: '{"input":{"ms":40}}' })
  const quick = rawRequest('POST', calls('text.echo'), { body: '{"input":{"quick":true}}' })
  client.send(slow + quick)
  const text = await client.until(/"quick"/)
  expect(text.indexOf('rested')).toBeLessThan(text.indexOf('"quick"'))
  client.socket.destroy()
})

test.each([
  ['declared', { 'content-length': String(10 * 1024 * 1024) }],
  ['chunked', undefined],
])('ten megabytes, %s, are refused without being kept', async (_title, declared) => {
  const served = await serve()
  const chunk = new Uint8Array(64 * 1024).fill(0x20)
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      if (sent >= 10 * 1024 * 1024) return controller.close()
      sent += chunk.length
      controller.enqueue(chunk)
    },
  })
  const response = await fetch(served.server.url + calls('text.echo'), {
    ...post,
    headers: { ...post.headers, ...declared },
    body,
    duplex: 'half',
  })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ code: 'body_too_large' })
  expect(await isHealthy(served)).toBe(200)
})

test('a client that asks first learns that its body is too large before it sends it', async () => {
  const { server } = await serve()
  const client = await connectRaw(server.port)
  const headers = ['expect: 100-continue', 'content-length: 10485760']
  client.send(rawRequest('POST', calls('text.echo'), { headers }))
  expect(await client.until(/body_too_large/)).toMatch(/^HTTP\/1\.1 413 /)
  client.socket.destroy()
  const other = await connectRaw(server.port)
  other.send(
    rawRequest('POST', calls('text.echo'), {
      headers: ['expect: 100-continue', 'content-length: 2'],
    }),
  )
  await other.until(/100 Continue/)
  other.send('{}')
  await other.until(/"completed"/)
  other.socket.destroy()
})

test('headers that are too large get a 431 with the reason', async () => {
  const served = await serve()
  const client = await connectRaw(served.server.port)
  client.send(rawRequest('GET', '/api/v1/tools', { headers: [`x-large: ${'x'.repeat(20_000)}`] }))
  const text = await client.closed
  expect(text).toMatch(/^HTTP\/1\.1 431 /)
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
    type: '/docs#error-invalid_request',
    title: 'The request is not well formed',
    status: 431,
    detail: 'The headers are too large',
    code: 'invalid_request',
    retryable: false,
  })
  expect(await isHealthy(served)).toBe(200)
})

test('bytes that are not HTTP get a 400, and nothing worse happens', async () => {
  const served = await serve()
  for (const bytes of [
    'hello\r\n\r\n',
    '\u0000\u0001\u0002',
    'GET / HTTP/1.1\r\n\r\n',
    'GET /\\x HTTP/1.1\r\nhost: localhost\r\n\r\n',
  ]) {
    const client = await connectRaw(served.server.port)
    client.send(bytes)
    const text = await client.until(/^HTTP\/1\.1 400 /)
    expect(text).toContain('400')
    client.socket.destroy()
  }
  expect(await isHealthy(served)).toBe(200)
})

test.each([
  ['headers', 'GET /api/v1/tools HTTP/1.1\r\nhost: localhost\r\nx-slow:'],
  ['a body', rawRequest('POST', calls('text.echo'), { headers: ['content-length: 100'] })],
])('a client that never finishes its %s is cut off in time', async (_title, bytes) => {
  const served = await serve({ headersTimeoutMs: 300, requestTimeoutMs: 300 })
  const client = await connectRaw(served.server.port)
  client.send(bytes)
  const before = Date.now()
  expect(await client.closed).toMatch(/^HTTP\/1\.1 408 /)
  expect(Date.now() - before).toBeLessThan(45_000)
  expect(await isHealthy(served)).toBe(200)
  expect(served.crib.requests).toEqual([])
})

test('a client that disconnects in the middle of its body causes no fault', async () => {
  const served = await serve()
  const client = await connectRaw(served.server.port)
  client.send(rawRequest('POST', calls('text.echo'), { headers: ['content-length: 100'] }))
  await new Promise((resolve) => setTimeout(resolve, 20))
  client.socket.destroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await isHealthy(served)).toBe(200)
  expect(served.faults).toEqual([])
  expect(served.crib.requests).toEqual([])
})

test('a client that disconnects in the middle of a stream aborts its call', async () => {
  const served = await serve()
  const client = await connectRaw(served.server.port)
  client.send(
    rawRequest('POST', calls('time.forever'), {
      headers: ['accept: text/event-stream', 'content-length: 0'],
    }),
  )
  await client.until(/call\.output/)
  client.socket.destroy()
  await expect.poll(() => served.crib.calls.get('call_1')?.status).toBe('cancelled')
  await expect
    .poll(async () => (await fetch(`${served.server.url}/metrics`, { headers: ownerKey })).text())
    .toContain('toolcrib_http_streams 0')
  expect(served.faults).toEqual([])
})

test('a client that leaves a plain call leaves it to finish', async () => {
  const served = await serve()
  const client = await connectRaw(served.server.port)
  client.send(rawRequest('POST', calls('time.pause'), { body: '{"input":{"ms":60}}' }))
  await expect.poll(() => served.crib.calls.size).toBe(1)
  client.socket.destroy()
  await expect.poll(() => served.crib.calls.get('call_1')?.status).toBe('completed')
  expect(served.faults).toEqual([])
})

test('HEAD of the event stream holds no stream', async () => {
  const { server } = await serve({}, { limits: { maxStreams: 4 } })
  const headers = { ...ownerKey, accept: 'text/event-stream' }
  for (let i = 0; i < 10; i += 1) {
    const head = await fetch(`${server.url}/api/v1/events`, { method: 'HEAD', headers })
    expect(head.status).toBe(200)
  }
  const metrics = await fetch(`${server.url}/metrics`, { headers: ownerKey })
  expect(await metrics.text()).toContain('toolcrib_http_streams 0')
})

test('a reader that stops reading holds up the log, not the memory, and is cut off', async () => {
  const served = await serve({ stalledMs: 1_500 })
  const { crib } = served
  const data = 'x'.repeat(20_000)
  for (let i = 0; i < 2_000; i += 1) crib.events.record(crib.owner, { type: 'call.output', data })
  const client = await connectRaw(served.server.port)
  client.socket.pause()
  client.send(
    rawRequest('GET', '/api/v1/events?limit=10', { headers: ['accept: text/event-stream'] }),
  )
  await expect.poll(() => crib.events.reads).toBeGreaterThan(3)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const held = crib.events.reads
  // The sockets' own buffers take some megabytes; the 40 MB of the log stay where they are.
  expect(held).toBeLessThan(150)
  await expect.poll(() => crib.events.watchers).toBe(0)
  client.socket.destroy()
})

import { afterEach, expect, test } from 'vitest'
import { serveHttp } from './serve-http.ts'
import type { HttpServer, ListenOptions } from './serve-http.ts'
import { bearer, openDoor, useDoors } from './testing/open-door.ts'
import type { OpenDoor } from './testing/open-door.ts'
import { connectRaw, rawRequest } from './testing/raw-client.ts'

const openNext = useDoors()
const servers: HttpServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

interface Served extends OpenDoor {
  server: HttpServer
}

async function serve(options: Partial<ListenOptions> = {}, door = openNext()): Promise<Served> {
  const server = await serveHttp(door.app, { port: 0, drainMs: 500, ...options })
  servers.push(server)
  return { ...door, server }
}

const calls = (tool: string) => `/api/v1/tools/${tool}/calls`
const post = ({ keys }: OpenDoor) => ({
  method: 'POST',
  headers: { ...bearer(keys.owner), 'content-type': 'application/json' },
})
const statuses = async ({ calls }: OpenDoor) => (await calls()).map(({ status }) => status)
const isHealthy = async ({ server }: Served) => (await fetch(`${server.url}/healthz`)).status

test.each([
  ['a call', calls('text.echo'), '{"input":{"a":"ü"}}', {}],
  ['an empty call', calls('text.echo'), '', {}],
  ['an escaped name', calls('mcp%3Adocs%3Asearch'), '{}', {}],
  ['a call that needs approval', calls('billing.refund'), '{}', {}],
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
    headers: { ...post(served).headers, 'x-request-id': 'r1', ...headers },
  }
  const far = await fetch(served.server.url + path, request)
  const near = await served.app.request(path, request)
  const facts = async (response: Response) => {
    const kept = [...response.headers].filter(
      ([name]) => !['date', 'connection', 'keep-alive', 'content-length'].includes(name),
    )
    // Each request is a call, or a refusal, of its own.
    const same = (text: string) => text.replaceAll(/(?:call|ref|appr)_\w+/g, '')
    return {
      status: response.status,
      headers: same(JSON.stringify(kept)),
      text: same(await response.text()),
    }
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
  const key = served.keys.owner
  const bytes = Buffer.from(rawRequest('POST', calls('text.echo'), { key, body }))
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
    ...post(served),
    body: stream,
    duplex: 'half',
  })
  expect(await chunked.json()).toMatchObject({ output: { text: 'grüße' } })
})

test('requests on one connection are answered in their order', async () => {
  const { server, keys } = await serve()
  const key = keys.owner
  const client = await connectRaw(server.port)
  const slow = rawRequest('POST', calls('time.pause'), { key, body: '{"input":{"ms":40}}' })
  const quick = rawRequest('POST', calls('text.echo'), { key, body: '{"input":{"quick":true}}' })
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
    ...post(served),
    headers: { ...post(served).headers, ...declared },
    body,
    duplex: 'half',
  })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ code: 'body_too_large' })
  expect(await isHealthy(served)).toBe(200)
})

test('a client that asks first learns that its body is too large before it sends it', async () => {
  const { server, keys } = await serve()
  const key = keys.owner
  const client = await connectRaw(server.port)
  const headers = ['expect: 100-continue', 'content-length: 10485760']
  client.send(rawRequest('POST', calls('text.echo'), { key, headers }))
  expect(await client.until(/body_too_large/)).toMatch(/^HTTP\/1\.1 413 /)
  client.socket.destroy()
  const other = await connectRaw(server.port)
  other.send(
    rawRequest('POST', calls('text.echo'), {
      key,
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

test.each(['headers', 'a body'])(
  'a client that never finishes its %s is cut off in time',
  async (part) => {
    const served = await serve({ headersTimeoutMs: 300, requestTimeoutMs: 300 })
    const client = await connectRaw(served.server.port)
    const body = { key: served.keys.owner, headers: ['content-length: 100'] }
    client.send(
      part === 'headers'
        ? 'GET /api/v1/tools HTTP/1.1\r\nhost: localhost\r\nx-slow:'
        : rawRequest('POST', calls('text.echo'), body),
    )
    const before = Date.now()
    expect(await client.closed).toMatch(/^HTTP\/1\.1 408 /)
    expect(Date.now() - before).toBeLessThan(45_000)
    expect(await isHealthy(served)).toBe(200)
    expect(served.requests).toEqual([])
  },
)

test('a client that disconnects in the middle of its body causes no fault', async () => {
  const served = await serve()
  const client = await connectRaw(served.server.port)
  const key = served.keys.owner
  client.send(rawRequest('POST', calls('text.echo'), { key, headers: ['content-length: 100'] }))
  await new Promise((resolve) => setTimeout(resolve, 20))
  client.socket.destroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await isHealthy(served)).toBe(200)
  expect(served.faults).toEqual([])
  expect(served.requests).toEqual([])
})

test('a client that disconnects in the middle of a stream aborts its call', async () => {
  const served = await serve({}, await openDoor())
  const client = await connectRaw(served.server.port)
  client.send(
    rawRequest('POST', calls('time.forever'), {
      key: served.keys.owner,
      headers: ['accept: text/event-stream', 'content-length: 0'],
    }),
  )
  await client.until(/call\.output/)
  client.socket.destroy()
  await expect.poll(() => statuses(served)).toEqual(['cancelled'])
  await expect
    .poll(async () => (await served.ask('GET', '/metrics')).text())
    .toContain('toolcrib_http_streams 0')
  expect(served.faults).toEqual([])
})

test('a client that leaves a plain call leaves it to finish', async () => {
  const served = await serve({}, await openDoor())
  const client = await connectRaw(served.server.port)
  const key = served.keys.owner
  client.send(rawRequest('POST', calls('time.pause'), { key, body: '{"input":{"ms":60}}' }))
  await expect.poll(() => served.requests.length).toBe(1)
  client.socket.destroy()
  await expect.poll(() => statuses(served)).toEqual(['completed'])
  expect(served.faults).toEqual([])
})

test('HEAD of the event stream holds no stream', async () => {
  const { server, ask, keys } = await serve({}, openNext({ limits: { maxStreams: 4 } }))
  const headers = { ...bearer(keys.owner), accept: 'text/event-stream' }
  for (let i = 0; i < 10; i += 1) {
    const head = await fetch(`${server.url}/api/v1/events`, { method: 'HEAD', headers })
    expect(head.status).toBe(200)
  }
  const metrics = await ask('GET', '/metrics')
  expect(await metrics.text()).toContain('toolcrib_http_streams 0')
})

test('a reader that stops reading holds up the log, not the memory, and is cut off', async () => {
  const served = await serve({ stalledMs: 1_500 }, await openDoor())
  const { log } = served
  const watchers = log.watchers
  for (let i = 0; i < 20; i += 1) await log.add(100, 'x'.repeat(20_000))
  const before = log.reads
  const reads = () => log.reads - before
  const client = await connectRaw(served.server.port)
  client.socket.pause()
  client.send(
    rawRequest('GET', '/api/v1/events?limit=10', {
      key: served.keys.owner,
      headers: ['accept: text/event-stream'],
    }),
  )
  await expect.poll(reads).toBeGreaterThan(3)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const held = reads()
  // The sockets' own buffers take some megabytes; the 40 MB of the log stay where they are.
  expect(held).toBeLessThan(150)
  await expect.poll(() => log.watchers).toBe(watchers)
  client.socket.destroy()
})

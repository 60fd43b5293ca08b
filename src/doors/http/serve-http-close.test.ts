import { expect, test } from 'vitest'
import { serveHttp } from './serve-http.ts'
import { bearer, useDoors } from './testing/open-door.ts'
import { connectRaw, rawRequest } from './testing/raw-client.ts'

const openDoor = useDoors()
const calls = (tool: string) => `/api/v1/tools/${tool}/calls`

test('closing lets a running call finish, ends streams, and takes nothing more', async () => {
  const { app, requests, keys } = openDoor()
  const key = keys.owner
  const server = await serveHttp(app, { port: 0, drainMs: 30_000 })
  const stream = await connectRaw(server.port)
  stream.send(rawRequest('GET', '/api/v1/events', { key, headers: ['accept: text/event-stream'] }))
  await stream.until(/heartbeat/)
  const running = fetch(server.url + calls('time.pause'), {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: '{"input":{"ms":150}}',
  })
  await expect.poll(() => requests, { interval: 5 }).toHaveLength(1)
  const before = Date.now()
  const closing = server.close()
  expect(server.close()).toBe(closing)
  expect(await stream.closed).toMatch(/the server is shutting down[\s\S]*\r\n0\r\n\r\n$/)
  expect(await (await running).json()).toMatchObject({ status: 'completed', output: 'rested' })
  await closing
  expect(Date.now() - before).toBeLessThan(25_000)
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed')
})

test('a server that withdraws is not ready, serves on, and gives every connection back', async () => {
  const { app, requests, keys } = openDoor()
  const key = keys.owner
  const server = await serveHttp(app, { port: 0, drainMs: 30_000 })
  const early = await connectRaw(server.port)
  early.send(rawRequest('POST', calls('time.pause'), { key, body: '{"input":{"ms":150}}' }))
  await expect.poll(() => requests, { interval: 5 }).toHaveLength(1)
  server.withdraw()
  const answerTo = async (request: string) => {
    const client = await connectRaw(server.port)
    client.send(request)
    return client.closed
  }
  expect(await answerTo(rawRequest('GET', '/readyz'))).toMatch(
    /^HTTP\/1.1 503 [\s\S]*connection: close[\s\S]*"status":"draining"/i,
  )
  expect(await answerTo(rawRequest('GET', '/healthz'))).toMatch(/^HTTP\/1.1 200 /)
  expect(await answerTo(rawRequest('POST', calls('time.pause'), { key, body: '{}' }))).toMatch(
    /^HTTP\/1.1 200 [\s\S]*connection: close[\s\S]*"completed"/i,
  )
  // Its request came before, its answer after.
  expect(await early.closed).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close[\s\S]*"rested"/i)
  await server.close()
})

test('requests that do not finish by the deadline are cut', async () => {
  const { app, requests, keys } = openDoor()
  const key = keys.owner
  const server = await serveHttp(app, { port: 0, drainMs: 100 })
  const client = await connectRaw(server.port)
  client.send(rawRequest('POST', calls('time.forever'), { key, body: '{}' }))
  await expect.poll(() => requests, { interval: 5 }).toHaveLength(1)
  const before = Date.now()
  await server.close()
  expect(Date.now() - before).toBeLessThan(25_000)
  expect(await client.closed).toBe('')
})

test('a port that is taken is reported as such', async () => {
  const { app } = openDoor()
  const server = await serveHttp(app, { port: 0 })
  await expect(serveHttp(app, { port: server.port })).rejects.toMatchObject({
    code: 'invalid_config',
    message: `Port ${server.port} is in use`,
    fix: 'Choose another with --port; 0 takes any free one.',
  })
  await server.close()
})

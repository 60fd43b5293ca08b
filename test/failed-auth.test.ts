import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { formatApiKey } from '../src/core/keys/api-key-token.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../src/doors/http/serve-http.ts'
import { createTestCrib } from '../src/testing/index.ts'

let crib: Crib
let server: HttpServer
let key: string
let looks = 0

beforeEach(async () => {
  crib = await createTestCrib({
    tools: [
      defineTool({
        name: 'say.hello',
        description: 'Greets whoever got in.',
        effect: 'read',
        inputSchema: z.object({}),
        execute: () => 'hello',
      }),
    ],
  })
  key = (await crib.api.createKey(ownerOf(), { name: 'good', scopes: ['*'] })).token
  looks = 0
  const app = createHttpApp({
    api: {
      ...crib.api,
      authenticate(token, runtime) {
        looks += 1
        return crib.api.authenticate(token, runtime)
      },
    },
    version: '1',
    publicUrl: 'https://crib.example.com',
    trustedProxies: 1,
    limits: { failedAuthPerMinute: 10 },
  })
  server = await serveHttp(app, { port: 0 })
})
afterEach(async () => {
  await server.close()
  await crib.close()
})

interface Attempt {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

function ask(path: string, { method = 'GET', headers, body }: Attempt = {}) {
  return fetch(server.url + path, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

const bearer = (token: string, from = '192.0.2.1') => ({
  authorization: `Bearer ${token}`,
  'x-forwarded-for': from,
})
let guesses = 0
const guess = () => formatApiKey({ id: String(1_000_000_000 + guesses++), secret: 'a'.repeat(32) })

const toolsCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'say_hello', arguments: {} },
}
const callMcp = (token: string): [string, Attempt] => [
  '/mcp',
  {
    method: 'POST',
    headers: {
      ...bearer(token),
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: toolsCall,
  },
]
const callHttp = (token: string): [string, Attempt] => [
  '/api/v1/tools/say.hello/calls',
  { method: 'POST', headers: bearer(token), body: { input: {} } },
]
const from = { 'x-forwarded-for': '192.0.2.1' }

test.each<[string, () => [string, Attempt], number]>([
  ['a guessed key', () => ['/api/v1/tools', { headers: bearer(guess()) }], 401],
  ['a guessed key of a tool call', () => callHttp(guess()), 401],
  ['a guessed key of an MCP client', () => callMcp(guess()), 401],
  ['no key', () => ['/api/v1/tools', { headers: from }], 401],
  ['no key of an MCP client', () => ['/mcp', { method: 'POST', headers: from, body: {} }], 401],
  [
    'a made-up session',
    () => {
      const session = String(guesses++).padStart(43, '0')
      return ['/api/v1/me', { headers: { ...from, cookie: `__Host-toolcrib=${session}` } }]
    },
    401,
  ],
  ['a made-up sign-in link', () => ['/sign-in?token=abc', { headers: from }], 401],
  ['a made-up invitation', () => ['/invitation?token=abc', { headers: from }], 401],
  [
    'a made-up completion token',
    () => [
      '/api/v1/calls/call_1/complete',
      { method: 'POST', headers: bearer(guess()), body: { status: 'completed' } },
    ],
    404,
  ],
])('%s is answered so often, then with 429 and when to come back', async (_what, make, status) => {
  const statuses: number[] = []
  let last: Response | undefined
  for (let count = 0; count < 12; count++) {
    last = await ask(...make())
    statuses.push(last.status)
    if (count < 11) await last.body?.cancel()
  }
  expect(statuses).toEqual([...Array<number>(10).fill(status), 429, 429])
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  // Pages say it in words, for people.
  const text = (await last?.text()) ?? ''
  expect(text).toMatch(/"code":"rate_limited"|Too many requests from your address/)
  // A new key gets in from the same address, and others fail as before.
  for (const [path, attempt] of [callHttp(key), callMcp(key)]) {
    expect((await ask(path, attempt)).status).toBe(200)
  }
  const elsewhere = await ask('/api/v1/tools', { headers: bearer(guess(), '192.0.2.2') })
  expect(elsewhere.status).toBe(401)
})

test('guesses without end are not looked up without end, and a good key stays good', async () => {
  const send = (token: string) => ask('/api/v1/tools', { headers: bearer(token) })
  for (let count = 0; count < 10; count++) await send(guess())
  const before = looks
  expect((await send(key)).status).toBe(200)
  const began = performance.now()
  for (let count = 0; count < 300; count++) expect((await send(guess())).status).toBe(429)
  const seconds = (performance.now() - began) / 1000
  // The address regains ten a minute, and the node spares twenty looks a second for new keys.
  expect(looks - before).toBeLessThanOrEqual(1 + 20 + 20 * seconds + seconds)
  expect(looks - before).toBeLessThan(300)
  expect((await send(key)).status).toBe(200)
  expect((await ask(...callMcp(key))).status).toBe(200)
})

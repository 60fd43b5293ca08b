import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../src/doors/http/serve-http.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { type KeyIssuer, openKeyIssuer } from './fixtures/key-issuer.ts'
import { modern, readAnswer } from './mcp/mcp-crib.ts'

const publicUrl = 'https://crib.example.com'
const page = 'https://app.example.com'

let issuer: KeyIssuer
let crib: Crib
let server: HttpServer
let key: string

beforeEach(async () => {
  issuer = await openKeyIssuer(`${publicUrl}/mcp`)
  crib = await createTestCrib({
    config: {
      server: {
        publicUrl,
        oauth: { issuers: [{ issuer: issuer.issuer, requiredScopes: ['tools.call'] }] },
      },
    },
    tools: [
      defineTool({
        name: 'who.calls',
        description: 'Says who calls, for tests of who may come in.',
        effect: 'read',
        inputSchema: z.object({}),
        outputSchema: z.object({ kind: z.string(), hasToken: z.boolean() }),
        execute: (_input, { principal, ...context }) => ({
          kind: principal.kind,
          hasToken: JSON.stringify({ ...context, principal }).includes('eyJ'),
        }),
      }),
    ],
  })
  const owner = ownerOf()
  key = (await crib.api.createKey(owner, { name: 'mcp', scopes: ['tools.call'] })).token
  await crib.api.createMember(owner, { email: 'ada@example.com', role: 'member' })
  const app = createHttpApp({
    api: crib.api,
    version: '1',
    publicUrl,
    origins: [page],
    limits: { maxBodyBytes: 4096 },
  })
  server = await serveHttp(app, { port: 0 })
})
afterEach(async () => {
  await server.close()
  await crib.close()
  await issuer.close()
})

function call(headers: Record<string, string>, { path: where = '/mcp', more = '' } = {}) {
  const params = { name: 'who_calls', arguments: {} }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const older = { 'mcp-protocol-version': '2025-11-25' }
  return send(JSON.stringify(message) + more, { ...older, ...headers }, where)
}

function send(body: unknown, headers: Record<string, string>, where = '/mcp') {
  return fetch(`${server.url}${where}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const metadata = (where: string) =>
  `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${where}"`

test('a client without a token is told where to get one', async () => {
  for (const where of ['/mcp', '/mcp/support']) {
    const reply = await call({}, { path: where })
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="toolcrib", scope="tools.call", ${metadata(where)}`,
    ])
  }
})

test('one with a token that is over is told so, and one without the scope which it lacks', async () => {
  const over = await call(bearer(await issuer.sign({ exp: 1 })))
  expect([over.status, over.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer realm="toolcrib", error="invalid_token", error_description="This access token is expired, of an unknown issuer, or made for another server", scope="tools.call", ${metadata('/mcp')}`,
  ])
  const unknown = await call(bearer('crib_unknown'))
  expect(unknown.headers.get('www-authenticate')).toContain('error_description="This key is')
  const lacking = await call(bearer(await issuer.sign({ scope: 'other' })))
  expect([lacking.status, lacking.headers.get('www-authenticate')]).toEqual([
    403,
    `Bearer realm="toolcrib", error="insufficient_scope", error_description="The token lacks the scope tools.call", scope="tools.call", ${metadata('/mcp')}`,
  ])
})

test('who may call no tools gets one answer, whatever it asks for', async () => {
  const scopes = ['audit.read']
  const { token } = await crib.api.createKey(ownerOf(), { name: 'auditor', scopes })
  const challenge = `Bearer realm="toolcrib", error="insufficient_scope", error_description="MCP clients need the permission tools.call", scope="tools.call", ${metadata('/mcp')}`
  for (const [body, headers] of [
    modern('tools/list'),
    modern('tools/call', { name: 'who_calls' }),
  ]) {
    for (const more of [headers, {}]) {
      const reply = await send(body, { ...bearer(token), ...more })
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([403, challenge])
    }
  }
})

test('a member whose role calls no tools is not sent to sign in for a scope that the token has', async () => {
  const email = 'vic@example.com'
  await crib.api.createMember(ownerOf(), { email, role: 'viewer' })
  const reply = await call(bearer(await issuer.sign({ email })))
  const challenge = reply.headers.get('www-authenticate')
  expect([reply.status, challenge]).toEqual([403, expect.not.stringContaining('error=')])
  expect(await reply.json()).toMatchObject({
    detail: expect.stringContaining('role') as string,
    fix: expect.stringContaining('administrator') as string,
  })
})

test('a token of the issuer calls tools as its member, and is seen by none of them', async () => {
  // The first call loads the door and goes the long way, whose answer may be a stream.
  const reply = await call(bearer(await issuer.sign()))
  expect(await readAnswer(reply)).toMatchObject({
    result: { structuredContent: { kind: 'user', hasToken: false } },
  })
})

test('an issuer that does not answer is no reason to send the client away', async () => {
  issuer.behave('fails')
  expect((await call(bearer(await issuer.sign()))).status).toBe(502)
  expect((await call(bearer(key))).status).toBe(200)
})

test('pages of foreign origins are kept out, whatever key they have', async () => {
  for (const origin of ['https://evil.example.com', 'null', 'http://127.0.0.1:1']) {
    expect((await call({ ...bearer(key), origin })).status).toBe(403)
  }
})

test('pages of configured origins, and our own, come in and may read the answer', async () => {
  for (const origin of [page, publicUrl, server.url]) {
    const reply = await call({ ...bearer(key), origin })
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, origin])
  }
  const ask = (origin: string) =>
    fetch(`${server.url}/mcp`, { method: 'OPTIONS', headers: { origin } })
  expect((await ask(page)).headers.get('access-control-allow-headers')).toContain('mcp-name')
  expect((await ask('https://evil.example.com')).status).toBe(403)
})

test('a page may send the arguments that stand in headers, and no other header of its own', async () => {
  const reply = await fetch(`${server.url}/mcp`, {
    method: 'OPTIONS',
    headers: {
      origin: page,
      'access-control-request-headers': 'authorization,Mcp-Param-Region, mcp-param-zone,cookie,x-y',
    },
  })
  const allowed = reply.headers.get('access-control-allow-headers') ?? ''
  expect(allowed.split(', ').slice(-2)).toEqual(['mcp-param-region', 'mcp-param-zone'])
  expect(allowed).not.toMatch(/cookie|x-y/)
})

test('a client that takes anything takes both kinds of answer', async () => {
  const accept = '*/*'
  for (const [body, headers] of [
    modern('tools/list'),
    modern('tools/call', { name: 'who_calls' }),
  ]) {
    const today = await send(body, { ...bearer(key), ...headers, accept })
    const { params: _params, ...plain } = body as Record<string, unknown>
    const older = await send(
      { ...plain, params: { name: 'who_calls' } },
      { ...bearer(key), accept },
    )
    expect([today.status, older.status]).toEqual([200, 200])
    expect(await readAnswer(today)).toHaveProperty('result')
    expect(await readAnswer(older)).toHaveProperty('result')
  }
  expect((await call({ ...bearer(key), accept: 'application/json' })).status).toBe(406)
})

test('bodies are bounded on both ways', async () => {
  for (const origin of [undefined, page]) {
    const headers = { ...bearer(key), ...(origin && { origin }) }
    expect((await call(headers, { more: ' '.repeat(8192) })).status).toBe(413)
  }
})

test('toolcrib mcp writes nothing but protocol to stdout, and ends with its client', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-stdio-'))
  const program = path.join(import.meta.dirname, '../bin/toolcrib')
  const env = { ...process.env, TOOLCRIB_KEY: key }
  const args = [program, 'mcp', '--data', data, '--url', server.url]
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(text))
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  child.stdin.write('this is no message\n')
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params })}\n`)
  await expect.poll(() => lines.join(''), { timeout: 60_000 }).toContain('"id":7')
  child.stdin.end()
  const [code] = (await once(child, 'exit')) as [number]
  const [first = '', second = '', ...rest] = lines.join('').split('\n')
  expect([code, JSON.parse(first), JSON.parse(second), rest]).toMatchObject([
    0,
    { id: null, error: { code: -32700 } },
    { id: 7, result: { protocolVersion: '2025-11-25' } },
    [''],
  ])
  await rm(data, { recursive: true })
})

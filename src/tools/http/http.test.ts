import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  answerJson,
  openWebParts,
  readMultipart,
  serveWeb,
  type WebServer,
} from '../../../test/setup/web-server.ts'
import { createCallFiles } from '../../core/uploads/call-files.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import type { TestContext } from '../../testing/a-context.ts'
import { runTool } from '../../testing/run-tool.ts'
import { getUrl } from './get-url.ts'
import { requestUrl } from './request-url.ts'

let server: WebServer
let other: WebServer
let parts: ReturnType<typeof openWebParts>
let multipart: Awaited<ReturnType<typeof readMultipart>> | undefined
beforeAll(async () => {
  parts = openWebParts()
  other = await serveWeb(({ headers }, response) => answerJson(response, { headers }))
  server = await serveWeb(async (request, response) => {
    const { url, method, headers, body } = request
    if (url.pathname === '/multipart') {
      multipart = await readMultipart(request)
      return answerJson(response, { ok: true }, 201)
    }
    if (url.pathname === '/elsewhere') {
      return void response.writeHead(302, { location: other.url }).end()
    }
    if (url.pathname === '/text') {
      response.writeHead(200, { 'content-type': 'text/plain', 'set-cookie': 'session=1' })
      return void response.end('x'.repeat(500))
    }
    if (url.pathname === '/image') {
      return void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0, 1]))
    }
    if (url.pathname === '/gzip') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      return void response.end(gzipSync('{"zipped":true}'))
    }
    if (url.pathname === '/broken') {
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":')
    }
    if (url.pathname === '/none') return void response.writeHead(204).end()
    const status = Number(url.searchParams.get('status') ?? 200)
    answerJson(
      response,
      { method, path: url.pathname, search: url.search, headers, body: body.toString() },
      status,
    )
  })
})
afterAll(async () => {
  await Promise.all([server.close(), other.close(), parts.close()])
})
beforeEach(() => {
  server.seen.length = 0
  other.seen.length = 0
  parts.saved.length = 0
})

type Given = Pick<TestContext, 'options' | 'secrets'>

async function get(path: string, input: object = {}, given: Given = {}) {
  const usual = { method: null, query: null, headers: null, timeoutMs: null, maxChars: null }
  const whole = { ...usual, url: path.startsWith('http') ? path : `${server.url}${path}`, ...input }
  return (await runTool(getUrl, whole, { ...parts, ...given })).output
}

async function request(line: string, input: object = {}, given: Given = {}) {
  const [method, path] = line.split(' ')
  const body = { json: null, text: null, form: null, files: null }
  const usual = { ...body, query: null, headers: null, timeoutMs: null, maxChars: null }
  const whole = { ...usual, method, url: `${server.url}${path}`, ...input }
  return (
    await runTool<unknown, Awaited<ReturnType<typeof get>>>(requestUrl, whole, {
      ...parts,
      ...given,
    })
  ).output
}

test('a request carries its parameters and headers, and the response its status and JSON', async () => {
  const response = await get('/a?x=1', {
    query: [
      { name: 'q', value: 'a&b c' },
      { name: 'q', value: 'ü' },
    ],
    headers: [{ name: 'X-Own', value: 'yes' }],
  })
  expect(response).toMatchObject({
    status: 200,
    mediaType: 'application/json',
    text: null,
    artifact: null,
    truncated: false,
    json: {
      method: 'GET',
      path: '/a',
      search: '?x=1&q=a%26b+c&q=%C3%BC',
      headers: { 'x-own': 'yes' },
    },
  })
})

test.each([400, 404, 500])('status %i is a result', async (status) => {
  expect(await get(`/a?status=${status}`)).toMatchObject({ status, json: { path: '/a' } })
})

test('text, files, broken JSON and empty responses are told apart', async () => {
  expect(await get('/text')).toMatchObject({ json: null, text: 'x'.repeat(500), artifact: null })
  const cut = await get('/text', { maxChars: 100 })
  expect(cut).toMatchObject({ text: 'x'.repeat(100), truncated: true, artifact: { bytes: 500 } })
  expect(await get('/image')).toMatchObject({
    json: null,
    text: null,
    bytes: 2,
    artifact: { mediaType: 'image/png' },
  })
  expect(await get('/broken')).toMatchObject({ json: null, text: '{"a":' })
  expect(await get('/gzip')).toMatchObject({ json: { zipped: true } })
  expect(await get('/none')).toMatchObject({ status: 204, json: null, text: null, bytes: 0 })
  expect(await get('/a', { method: 'HEAD' })).toMatchObject({ status: 200, text: null, bytes: 0 })
  expect(parts.saved.map(({ name }) => name)).toEqual(['text', 'image'])
})

test('cookies of a response are left out', async () => {
  const { headers } = await get('/text')
  expect(headers.map(({ name }) => name)).not.toContain('set-cookie')
})

test('bodies are sent as JSON, text or a form, with their types', async () => {
  const bodies = [
    [{ json: '{"a":[1]}' }, 'application/json', '{"a":[1]}'],
    [{ text: 'grüß' }, 'text/plain; charset=utf-8', 'grüß'],
    [
      {
        form: [
          { name: 'a', value: '1&2' },
          { name: 'a', value: 'ü' },
        ],
      },
      'application/x-www-form-urlencoded;charset=UTF-8',
      'a=1%262&a=%C3%BC',
    ],
    [
      { text: '<a/>', headers: [{ name: 'content-type', value: 'application/xml' }] },
      'application/xml',
      '<a/>',
    ],
  ] as const
  for (const [input, type, body] of bodies) {
    const { json } = await request('POST /a', input)
    expect(json).toMatchObject({ method: 'POST', body, headers: { 'content-type': type } })
  }
  expect((await request('DELETE /a')).json).toMatchObject({ method: 'DELETE', body: '' })
})

test('files are sent as multipart with their names and types', async () => {
  const file = `data:text/csv;base64,${Buffer.from('a,b\n1,2').toString('base64')}`
  const files = createCallFiles({
    tenant: 'default',
    uploads: [],
    store: { read: () => undefined as never },
  })
  const whole = {
    method: 'POST',
    url: `${server.url}/multipart`,
    form: [{ name: 'title', value: 'Ünder' }],
    files: [{ name: 'table', file }],
    query: null,
    headers: null,
    json: null,
    text: null,
    timeoutMs: null,
    maxChars: null,
  } as const
  const { output } = await runTool<unknown, object>(requestUrl, whole, { ...parts, files })
  expect(output).toMatchObject({ status: 201, json: { ok: true } })
  expect(multipart).toEqual([
    { name: 'title', value: 'Ünder' },
    { name: 'table', file: expect.any(String) as string, type: 'text/csv', text: 'a,b\n1,2' },
  ])
})

test.each([
  [{ json: '{}', text: 'a' }, 'several'],
  [{ json: '{a}' }, 'not JSON'],
  [{ headers: [{ name: 'host', value: 'a' }] }, 'host'],
  [{ headers: [{ name: 'X-Forwarded-For', value: 'a' }] }, 'X-Forwarded-For'],
  [{ headers: [{ name: 'a b', value: 'c' }] }, 'a b'],
  [{ headers: [{ name: 'x', value: 'a\r\nb: c' }] }, 'x'],
])('%j is refused before anything is sent', async (input, word) => {
  await expect(request('POST /a', input)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining(word) as string,
  })
  await expect(request('GET /a', { json: '{}' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  expect(server.seen).toEqual([])
})

const token = 'token-made-up-1'
const credentials = (more: object = {}) => ({
  options: { credentials: [{ origin: server.url, ...more }] },
  secrets: { http_token: token, http_token_2: 'second-made-up' },
})

test('a configured credential goes to exactly its origin, over what the caller sets', async () => {
  const headers = [{ name: 'authorization', value: 'Bearer mine' }]
  const { json } = await get('/a', { headers }, credentials())
  expect(json).toMatchObject({ headers: { authorization: `Bearer ${token}` } })
  const own = { secret: 'http_token_2', header: 'X-Key', prefix: '' }
  expect((await request('PUT /a', {}, credentials(own))).json).toMatchObject({
    headers: { 'x-key': 'second-made-up' },
  })
  const elsewhere = await get(other.url, {}, credentials())
  expect(JSON.stringify(elsewhere)).not.toContain(token)
})

test('a credential of the tenant goes to the origin stored beside it', async () => {
  const secrets = { http_token: token, http_token_origin: `${server.url}/` }
  expect((await get('/a', {}, { secrets })).json).toMatchObject({
    headers: { authorization: `Bearer ${token}` },
  })
})

test('each token of the tenant has an origin and a header of its own, for both tools', async () => {
  const secrets = {
    http_token: token,
    http_token_origin: other.url,
    http_token_2: 'second-made-up',
    http_token_2_origin: server.url,
    http_token_2_header: 'X-Api-Key',
  }
  for (const answer of [get('/a', {}, { secrets }), request('POST /a', {}, { secrets })]) {
    const { headers } = (await answer).json as { headers: Record<string, string> }
    expect(headers).toMatchObject({ 'x-api-key': 'second-made-up' })
    expect(headers).not.toHaveProperty('authorization')
  }
  const { json } = await get(other.url, {}, { secrets })
  expect(json).toMatchObject({ headers: { authorization: `Bearer ${token}` } })
  const spoiled = { ...secrets, http_token_2_header: 'x api: key' }
  await expect(get('/a', {}, { secrets: spoiled })).rejects.toMatchObject({
    code: 'invalid_config',
    fix: expect.stringContaining('http_token_2_header') as string,
  })
})

test('a request with a credential follows no redirect', async () => {
  const own = credentials({ header: 'x-key', prefix: '' })
  expect(await get('/elsewhere', {}, own)).toMatchObject({ status: 302 })
  expect(other.seen).toEqual([])
  expect(await get('/elsewhere')).toMatchObject({ status: 200, url: `${other.url}/` })
})

test('a credential without its secret is a missing secret', async () => {
  const { options } = credentials({ secret: 'http_token_3' })
  await expect(get('/a', {}, { options })).rejects.toMatchObject({
    code: 'secret_missing',
    details: { keys: ['http_token_3'] },
  })
})

test('a server that is not there, and one that is slow, fail with a code', async () => {
  const gone = await serveWeb(() => undefined)
  await gone.close()
  await expect(get(gone.url)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('ECONNREFUSED') as string,
  })
  const slow = await serveWeb(() => undefined)
  await expect(get(slow.url, { timeoutMs: 100 })).rejects.toMatchObject({
    code: expect.any(String) as string,
  })
  await slow.close()
})

test('packs that call APIs are off until a tenant turns them on', async () => {
  const crib = await createTestCrib()
  const result = await crib.call('http.get', { url: server.url })
  expect(result.error?.code).toBe('tool_not_found')
  await crib.close()
})

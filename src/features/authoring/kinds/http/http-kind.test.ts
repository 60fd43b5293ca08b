import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { toTool } from '../../../../core/define-tool.ts'
import type { JsonSchema, JsonValue } from '../../../../core/kernel/json.ts'
import { openNetwork } from '../../../../host/network/open-network.ts'
import { aContext } from '../../../../testing/a-context.ts'
import { runTool } from '../../../../testing/run-tool.ts'
import {
  type Answer,
  answerJson,
  openWebParts,
  readMultipart,
  serveWeb,
  type WebServer,
} from '../../../../../test/setup/web-server.ts'
import { createWeb } from '../../../network/web.ts'
import { httpKind } from './http-kind.ts'
import type { HttpSpec } from './http-spec.ts'

const anyInput: JsonSchema = { type: 'object', additionalProperties: true }
const network = openNetwork({ addresses: [], ports: [] })
const parts = openWebParts()
afterAll(async () => {
  await network.close()
  await parts.close()
})

let answer: (...given: Parameters<Answer>) => unknown
let server: WebServer
beforeEach(async () => {
  answer = (_, response) => answerJson(response, { ok: true })
  server = await serveWeb((request, response) => void answer(request, response))
})
afterEach(() => server.close())

type Given = Omit<HttpSpec, 'kind' | 'url' | 'method'> & { method?: HttpSpec['method'] }

interface Call {
  input?: JsonValue
  secrets?: Record<string, string>
  path?: string
  timeoutMs?: number
}

/** Runs a tool against the server, through the guard that tools have; nothing else is reachable. */
async function send(given: Given, { input = {}, secrets = {}, path = '/', timeoutMs }: Call = {}) {
  const spec: HttpSpec = { kind: 'http', method: 'GET', url: server.url + path, ...given }
  const facts = { name: 'crm.test', description: 'Test', inputSchema: anyInput }
  const document = { ...facts, spec, ...(timeoutMs !== undefined && { timeoutMs }) }
  const derived = httpKind.derive(document, { find: () => undefined, names: () => [] })
  const tool = toTool(
    { ...facts, source: 'authored', effect: derived.effect, secrets: derived.secrets ?? [] },
    httpKind.toBehaviour(document),
  )
  const route = { key: 'test', trusted: [new URL(server.url)] }
  const { signal } = new AbortController()
  const web = createWeb({ fetch: network.fetchFor(route), signal })
  const { output } = await runTool(tool, input, { ...parts, web, secrets, callId: 'call_1' })
  return output
}

test('a request is filled in from the input, and a part of its answer picked', async () => {
  answer = (_, response) => answerJson(response, { items: [{ id: 7 }], total: 1 })
  const output = await send(
    {
      method: 'POST',
      query: { tag: '{{input.tags}}', none: '{{input.none}}', page: 2 },
      headers: { 'x-call': '{{call.id}}', authorization: 'Bearer secret:crm_key' },
      body: { name: '{{input.name}}', note: 'For {{input.name}}', age: '{{input.age}}' },
      pick: { first: '{{body.items[0].id}}', status: '{{status}}' },
    },
    {
      path: '/people/{{input.id}}',
      input: { id: 'a/b', tags: ['x', 'y&z'], name: 'Ann "A"', age: 4 },
      secrets: { crm_key: 'key-12345' },
    },
  )
  expect(output).toEqual({ first: 7, status: 200 })
  const [seen] = server.seen
  expect(seen?.url.pathname).toBe('/people/a%2Fb')
  expect(seen?.url.search).toBe('?tag=x&tag=y%26z&page=2')
  expect(seen?.headers).toMatchObject({
    'x-call': 'call_1',
    authorization: 'Bearer key-12345',
    'content-type': 'application/json',
  })
  expect(JSON.parse(String(seen?.body))).toEqual({
    name: 'Ann "A"',
    note: 'For Ann "A"',
    age: 4,
  })
})

test('bodies are sent as a form, as multipart and as text', async () => {
  const body = { a: '{{input.a}}', b: ['1', '2'] }
  const input = { a: 'x=y&z' }
  await send({ method: 'POST', bodyType: 'form', body }, { input })
  await send({ method: 'POST', bodyType: 'multipart', body }, { input })
  await send({ method: 'PUT', bodyType: 'text', body: 'Hi {{input.a}}' }, { input })
  const [form, multipart, text] = server.seen
  expect(String(form?.body)).toBe('a=x%3Dy%26z&b=1&b=2')
  expect(multipart && (await readMultipart(multipart))).toEqual([
    { name: 'a', value: 'x=y&z' },
    { name: 'b', value: '1' },
    { name: 'b', value: '2' },
  ])
  expect([String(text?.body), text?.headers['content-type']]).toEqual([
    'Hi x=y&z',
    'text/plain; charset=utf-8',
  ])
})

test('JSON, text, nothing and files are told apart', async () => {
  expect(await send({})).toEqual({ ok: true })
  answer = (_, response) => response.writeHead(204).end()
  expect(await send({})).toBeNull()
  answer = (_, response) => response.setHeader('content-type', 'text/csv').end('a,b\0')
  expect(await send({})).toBe('a,b')
  answer = (_, response) => response.setHeader('content-type', 'image/png').end('\x89PNG')
  expect(await send({})).toEqual({
    artifact: { id: expect.any(String) as string, mediaType: 'image/png', bytes: 5 },
  })
  answer = (_, response) => response.setHeader('x-total', '3').end()
  expect(await send({ method: 'HEAD', pick: 'headers.x-total' })).toBe('3')
})

test('a value of the input that looks like a secret stays text', async () => {
  await send(
    { headers: { 'x-note': '{{input.note}}', 'x-key': 'secret:crm_key' } },
    { input: { note: 'secret:crm_key' }, secrets: { crm_key: 'key-12345' } },
  )
  expect(server.seen[0]?.headers).toMatchObject({
    'x-note': 'secret:crm_key',
    'x-key': 'key-12345',
  })
})

test.each(['a\r\nx-admin: 1', 'a\nb', '\n', 'a\0b', '日本'])(
  'the header value %j is refused before anything is sent',
  async (note) => {
    await expect(
      send({ headers: { 'x-note': '{{input.note}}' } }, { input: { note } }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.not.stringContaining(note) as string,
    })
    expect(server.seen).toEqual([])
  },
)

test('a redirect into the network of the server is not followed', async () => {
  const { port } = new URL(server.url)
  const targets = [
    'http://169.254.169.254/latest/meta-data',
    `http://127.0.0.2:${port}/`,
    `http://[::1]:${port}/`,
    'file:///etc/passwd',
  ]
  for (const location of targets) {
    answer = (_, response) => response.writeHead(302, { location }).end('moved')
    await expect(send({})).rejects.toMatchObject({ name: 'ToolError' })
  }
  expect(server.seen).toHaveLength(targets.length)
})

test('a redirect to another server takes no credentials along', async () => {
  const other = await serveWeb((_, response) => void response.end('there'))
  answer = (_, response) => response.writeHead(302, { location: `${other.url}/there` }).end()
  const headers = { authorization: 'Bearer secret:crm_key', 'x-key': 'secret:crm_key' }
  const output = await send({ headers }, { secrets: { crm_key: 'key-12345' } })
  expect(output).toBe('there')
  expect(JSON.stringify(other.seen[0]?.headers)).not.toContain('key-12345')
  await other.close()
})

test('a 4xx fails the call with the words of the problem, and does not show the secret', async () => {
  answer = (_, response) =>
    answerJson(response, { title: 'No such invoice', detail: 'in_1 was deleted' }, 404)
  await expect(send({})).rejects.toMatchObject({
    code: 'tool_failed',
    retryable: false,
    message: expect.stringMatching(/answered 404: No such invoice: in_1 was deleted$/) as string,
  })
  answer = (_, response) => answerJson(response, { error: { message: 'Bad key' } }, 401)
  const request = send({ query: { key: 'secret:crm_key' } }, { secrets: { crm_key: 'key-12345' } })
  await expect(request).rejects.toMatchObject({
    message: expect.not.stringContaining('key-12345') as string,
    fix: 'Check the secrets of this tool, and what they are allowed to do.',
  })
})

test('429 and 5xx may be retried, after the time that the server asks for', async () => {
  answer = (_, response) => response.writeHead(429, { 'retry-after': '7' }).end()
  await expect(send({})).rejects.toMatchObject({
    code: 'rate_limited',
    retryable: true,
    details: { retryAfterMs: 7000 },
  })
  answer = (_, response) => response.writeHead(503).end('busy')
  await expect(send({})).rejects.toMatchObject({ code: 'upstream_failed', retryable: true })
})

test('the author chooses the statuses that are a success', async () => {
  answer = (_, response) => answerJson(response, { found: false }, 404)
  const pick = { status: '{{status}}', found: '{{body.found}}' }
  expect(await send({ ok: ['2xx', 404], pick })).toEqual({ status: 404, found: false })
  answer = (_, response) => response.end('x')
  await expect(send({ ok: [201] })).rejects.toMatchObject({ code: 'upstream_failed' })
})

test('an answer of 50 MB and a gzip bomb end at the limit', async () => {
  answer = (_, response) => {
    const chunk = Buffer.alloc(1_000_000, 97)
    const write = (left: number): void => {
      if (left === 0) response.end()
      else response.write(chunk, () => write(left - 1))
    }
    write(50)
  }
  await expect(send({})).rejects.toMatchObject({ code: 'quota_exceeded' })
  const bomb = gzipSync(Buffer.alloc(50_000_000, 97))
  answer = (_, response) => response.setHeader('content-encoding', 'gzip').end(bomb)
  await expect(send({})).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('a server that answers drop by drop is given up on in time', async () => {
  answer = (_, response) => {
    response.write('{"a":')
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }
  await expect(send({}, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' })
  answer = () => undefined
  await expect(send({}, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' })
})

test('a connection that breaks in the middle is a failure of the server', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  }
  await expect(send({})).rejects.toMatchObject({ code: 'upstream_failed' })
})

test('a preview shows the request without its secrets, and sends nothing', async () => {
  const spec: HttpSpec = {
    kind: 'http',
    method: 'POST',
    url: 'https://api.test/people/{{input.id}}',
    query: { key: 'secret:crm_key' },
    headers: { authorization: 'Bearer secret:crm_key' },
    body: { id: '{{input.id}}' },
  }
  const document = { name: 'crm.test', description: 'Test', inputSchema: anyInput, spec }
  const { preview } = httpKind.toBehaviour(document)
  const made = typeof preview === 'function' && (await preview({ id: 'a b' }, aContext()))
  expect(made).toEqual({
    summary: 'Sends POST https://api.test/people/a%20b?key=secret:crm_key',
    changes: [
      {
        target: 'POST https://api.test/people/a%20b?key=secret:crm_key',
        after: {
          headers: { authorization: 'Bearer secret:crm_key', 'content-type': 'application/json' },
          body: { id: 'a b' },
        },
      },
    ],
  })
})

test('a document whose host is not literal can not become a tool', () => {
  const spec: HttpSpec = { kind: 'http', method: 'GET', url: 'https://{{input.host}}/' }
  const document = { name: 'crm.test', description: 'Test', inputSchema: anyInput, spec }
  expect(() => httpKind.toBehaviour(document)).toThrow(/must have a literal host/)
})

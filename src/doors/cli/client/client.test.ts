import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createFakeApi, frame, json, problem, toolOf } from '../testing/fake-api.ts'
import { runLine } from '../testing/run-line.ts'
import { createClient } from './http-client.ts'
import { readSse, type SseMessage } from '../../../core/client/read-sse.ts'

const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function folderWith(serverFile: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crib-'))
  folders.push(folder)
  await writeFile(
    join(folder, 'server.json'),
    typeof serverFile === 'string' ? serverFile : JSON.stringify(serverFile),
  )
  return folder
}

const listing = { 'GET /tools': () => json({ items: [toolOf()] }) }
const server = { url: 'http://127.0.0.1:9', key: 'crib_owner', pid: process.pid }

test('a running server is found by its file and asked with its key', async () => {
  const data = await folderWith(server)
  const api = createFakeApi(listing)
  const { code } = await runLine(['tools', '--data', data], { more: { fetch: api.fetch } })
  expect(code).toBe(0)
  expect(api.seen.map(({ path, headers }) => [path, headers?.['authorization']])).toEqual([
    ['/healthz', undefined],
    ['/tools', 'Bearer crib_owner'],
    ['/policy-words', 'Bearer crib_owner'],
  ])
})

test('TOOLCRIB_DATA names the folder as --data does', async () => {
  const api = createFakeApi(listing)
  const env = { TOOLCRIB_DATA: await folderWith(server) }
  expect((await runLine(['tools'], { env, more: { fetch: api.fetch } })).code).toBe(0)
  expect(api.last('/tools')).toBeDefined()
})

test.each([
  ['a process that is gone', { ...server, pid: 2 ** 22 + 1 }],
  ['half a file', '{"url":'],
  ['a file of something else', { hello: 1 }],
])('the file of %s is ignored and the store opened instead', async (_title, file) => {
  const local = createFakeApi(listing)
  const remote = createFakeApi(listing)
  const argv = ['tools', '--data', await folderWith(file)]
  const { code } = await runLine(argv, { fetch: local.fetch, more: { fetch: remote.fetch } })
  expect(code).toBe(0)
  expect(remote.seen).toEqual([])
  expect(local.last('/tools')?.headers['authorization']).toBe('Bearer crib_local_key')
})

test('the key is not shown to a stranger that has the port now', async () => {
  const local = createFakeApi(listing)
  const seen: unknown[] = []
  const stranger = (url: string, init?: RequestInit) => {
    seen.push([new URL(url).pathname, init?.headers])
    return Promise.resolve(new Response('hello'))
  }
  const argv = ['tools', '--data', await folderWith(server)]
  expect((await runLine(argv, { fetch: local.fetch, more: { fetch: stranger } })).code).toBe(0)
  expect(seen).toEqual([['/healthz', undefined]])
})

test('an address needs a key, or to be that of the server on this data folder', async () => {
  const api = createFakeApi(listing)
  const env = { TOOLCRIB_KEY: 'crib_mine' }
  const more = { fetch: api.fetch }
  expect(await runLine(['tools', '--url', 'https://crib.example'], { more })).toEqual({
    code: 3,
    out: '',
    err: '✗ No key is set for https://crib.example.\n→ Set TOOLCRIB_KEY to a key of that server.\n',
  })
  expect((await runLine(['--url', 'https://crib.example/', 'tools'], { more, env })).code).toBe(0)
  expect(api.last('/tools')?.headers['authorization']).toBe('Bearer crib_mine')
  const data = await folderWith(server)
  expect((await runLine(['tools', '--data', data, '--url', server.url], { more })).code).toBe(0)
  expect(api.last('/tools')?.headers['authorization']).toBe('Bearer crib_owner')
  expect((await runLine(['tools', '--url', 'ftp://x'], { more, env })).code).toBe(2)
})

test('an unreachable server is a coded error with a fix', async () => {
  const fetch = () =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))
  const env = { TOOLCRIB_KEY: 'k', TOOLCRIB_URL: 'http://127.0.0.1:9' }
  expect(await runLine(['tools'], { env, more: { fetch } })).toEqual({
    code: 6,
    out: '',
    err:
      '✗ The connection to http://127.0.0.1:9 failed: connect ECONNREFUSED\n' +
      '→ Check that the server runs and that the address is right, then try again.\n',
  })
})

test('the local store is closed whatever happens', async () => {
  let closed = 0
  const openLocal = () =>
    Promise.resolve({
      fetch: createFakeApi({}).fetch,
      url: 'http://crib.local',
      key: 'k',
      close: () => Promise.resolve(void (closed += 1)),
    })
  expect((await runLine(['tools'], { more: { openLocal } })).code).toBe(4)
  expect(closed).toBe(1)
})

test.each([
  [
    {
      status: 422,
      code: 'invalid_input',
      detail: 'Wrong',
      issues: [{ path: '/a', message: 'is needed' }],
    },
    'invalid_input',
  ],
  [{ status: 429, code: 'something_newer', detail: 'Slow down' }, 'rate_limited'],
  [{ status: 418, code: 'teapot', detail: 'No' }, 'internal'],
])('the problem %j becomes the error %s', async (fields, code) => {
  const { fetch } = createFakeApi({ 'GET /x': () => problem(fields) })
  const client = createClient({ fetch, url: 'http://x/', key: 'k' })
  await expect(client.read('/x')).rejects.toMatchObject({
    code,
    message: fields.detail,
    issues: 'issues' in fields ? fields.issues : [],
  })
})

test('pages are read to the end, and a cursor that does not move ends them', async () => {
  const pages: Record<string, unknown> = {
    '': { items: [1], next: 'a' },
    a: { items: [2], next: 'b' },
    b: { items: [3], next: 'b' },
  }
  const { fetch } = createFakeApi({ 'GET /x': ({ query }) => json(pages[query['after'] ?? '']) })
  expect(await createClient({ fetch, url: 'http://x', key: 'k' }).all('/x')).toEqual([1, 2, 3])
})

test('a stream is read alike however it is cut into chunks', async () => {
  const messages: SseMessage[] = [
    { event: 'call', text: '{"callId":"ü工"}', id: undefined },
    { event: 'message', text: 'two\nlines', id: '7' },
    { event: 'end', text: '1', id: '7' },
  ]
  const body = `: hello\r\n\r\n${frame('call', { callId: 'ü工' })}id: 7\rdata: two\rdata:lines\r\n\r\nretry: 5\n\nevent: end\ndata: 1\n\ndata: cut off`
  const bytes = new TextEncoder().encode(body)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
      const borders = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
      const chunks = borders.slice(1).map((end, index) => bytes.slice(borders[index], end))
      const seen: SseMessage[] = []
      for await (const message of readSse(ReadableStream.from(chunks))) seen.push(message)
      expect(seen).toEqual(messages)
    }),
  )
})

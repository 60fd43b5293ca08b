import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/create-test-crib.ts'
import { answerJson, readMultipart, serveWeb, type WebServer } from './setup/web-server.ts'

const owner = ownerOf()
const secrets = {
  http_token: 'token-made-up-1',
  serpapi_api_key: 'serp made+up/key',
  github_token: 'ghp_made_up_token',
}

let server: WebServer
let crib: Crib
beforeAll(async () => {
  server = await serveWeb(async (request, response) => {
    const { url, headers } = request
    if (url.pathname === '/multipart') {
      return answerJson(response, { parts: await readMultipart(request) })
    }
    if (url.pathname === '/inside') {
      return void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
    }
    if (url.pathname === '/file') {
      response.writeHead(200, { 'content-type': 'image/<png>' })
      return void response.end(Buffer.from([0, 1, 2]))
    }
    if (url.pathname === '/echo') return answerJson(response, { headers })
    if (url.pathname === '/search') return void response.writeHead(500).end(`Bad ${url.search}`)
    response.writeHead(200, { 'content-type': 'text/html; charset=windows-1252' })
    response.end(Buffer.from('<title>T</title><h1>caf\u00E9</h1><p hidden>no</p>', 'latin1'))
  })
  const baseUrls = { serpapi: server.url }
  const credentials = [{ origin: server.url, secret: 'http_token' }]
  crib = await createTestCrib({
    secrets,
    config: {
      tools: [],
      network: { addresses: ['127.0.0.1'] },
      packs: { http: true, github: true },
      agents: [
        {
          slug: 'reader',
          tools: { allow: ['web.*', 'http.*', 'github.*'] },
          settings: {
            'web.search': { options: { provider: 'serpapi', baseUrls } },
            'http.get': { options: { credentials } },
            'http.request': { options: { credentials } },
            'github.issue-get': { options: { baseUrl: server.url } },
          },
        },
      ],
    },
  })
})
afterAll(async () => {
  await crib.close()
  await server.close()
})

const call = (tool: string, input: object, sessionId?: string) =>
  crib.api.call({
    tool,
    input,
    caller: { ...owner, agent: 'reader', ...(sessionId !== undefined && { sessionId }) },
  })

test('a page is read through the guarded network, and its session has seen untrusted data', async () => {
  const result = await call('web.fetch', { url: `${server.url}/page` }, 'ses_1')
  expect(result).toMatchObject({
    status: 'completed',
    output: { title: 'T', text: '# café', status: 200, next: null },
  })
  const { flags } = await crib.api.explain(owner, { session: 'ses_1' })
  expect(flags).toMatchObject([{ kind: 'untrusted', tool: 'web.fetch' }])
})

test('a redirect into a private network is not followed', async () => {
  const { error } = await call('web.fetch', { url: `${server.url}/inside` })
  expect(error?.code).toBe('forbidden')
})

test('a file is kept with the call, whatever type its server claims', async () => {
  const { status, output } = await call('web.fetch', { url: `${server.url}/file` })
  expect({ status, output }).toMatchObject({
    status: 'completed',
    output: { text: null, artifact: { bytes: 3, mediaType: 'application/octet-stream' } },
  })
})

test('several pages are read at once, and a host that rules exclude has an error of its own', async () => {
  const urls = [`${server.url}/a`, 'http://10.0.0.1/']
  const { output } = await call('web.extract', { urls })
  expect(output).toMatchObject({
    pages: [
      { text: '# café', error: null },
      { text: null, error: { code: 'forbidden' } },
    ],
  })
})

test('a credential that a response repeats is redacted', async () => {
  const result = await call('http.get', { url: `${server.url}/echo` })
  expect(server.seen.at(-1)?.headers.authorization).toBe(`Bearer ${secrets.http_token}`)
  expect(result).toMatchObject({
    status: 'completed',
    output: { json: { headers: { authorization: 'Bearer [redacted:http_token]' } } },
  })
})

test('a key in the address of a search is in no error and no event', async () => {
  const result = await call('web.search', { query: 'otters' })
  expect(server.seen.at(-1)?.url.searchParams.get('api_key')).toBe(secrets.serpapi_api_key)
  expect(result.error?.code).toBe('upstream_failed')
  const { items } = await crib.api.readEvents(owner, { limit: 500 })
  const said = JSON.stringify([result, items])
  expect(said).not.toMatch(/serp made|serp\+made|serp%20made/)
})

test('an upload is sent as multipart', async () => {
  const content = new TextEncoder().encode('a,b\n1,2')
  const { uri } = await crib.upload({ name: 't.csv', mediaType: 'text/csv', content })
  const { output } = await call('http.request', {
    method: 'POST',
    url: `${server.url}/multipart`,
    form: [{ name: 'title', value: 'Ünder' }],
    files: [{ name: 'table', file: uri }],
  })
  expect(output).toMatchObject({
    status: 200,
    json: {
      parts: [
        { name: 'title', value: 'Ünder' },
        { name: 'table', file: 't.csv', type: 'text/csv', text: 'a,b\n1,2' },
      ],
    },
  })
})

test('a page that is no JSON where GitHub is expected fails with a fix', async () => {
  const input = { repository: 'acme/shop', number: 1 }
  expect((await call('github.issue-get', input)).error).toMatchObject({
    code: 'upstream_failed',
    message: 'GitHub answered with a web page',
  })
})

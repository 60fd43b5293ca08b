import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  answerJson,
  serveWeb,
  type Answer,
  type WebServer,
} from '../../../test/setup/web-server.ts'
import { ownerOf } from '../../app/owner.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import { directWeb } from '../../testing/direct-web.ts'
import { runTool } from '../../testing/run-tool.ts'
import { searchWeb } from './search-web.ts'

const servers: WebServer[] = []
let answer: Answer
const server = await serveWeb((request, response) => answer(request, response))
servers.push(server)
afterAll(() => server.close())
beforeEach(() => void (server.seen.length = 0))

const keys = {
  tavily_api_key: 'tvly-made-up-key',
  exa_api_key: 'exa-made-up-key',
  serpapi_api_key: 'serp made+up/key',
}
const all = { tavily: server.url, exa: server.url, serpapi: server.url, duckduckgo: server.url }

async function search(provider: string | null, secrets: Record<string, string> = keys, limit = 5) {
  const options = { provider, baseUrls: all }
  const input = { query: 'otters & "rafts"', limit }
  return (await runTool(searchWeb, input, { web: directWeb, secrets, options })).output
}

test('Tavily is asked with its key, and its results come in our shape', async () => {
  answer = (_request, response) =>
    answerJson(response, {
      query: 'x',
      results: [
        { title: 'Otters', url: 'https://a.example/', content: 'They\n raft.', score: 0.9 },
        { title: 'Run', url: 'javascript:1', content: 'no' },
        { url: 'https://b.example/', published_date: '2026-01-02', content: null },
      ],
    })
  expect(await search('tavily')).toEqual({
    provider: 'tavily',
    note: null,
    results: [
      { title: 'Otters', url: 'https://a.example/', snippet: 'They raft.', score: 0.9 },
      {
        title: 'https://b.example/',
        url: 'https://b.example/',
        snippet: '',
        published: '2026-01-02',
      },
    ],
  })
  const [{ method, url, headers, body }] = server.seen as [(typeof server.seen)[0]]
  expect([method, url.pathname, headers.authorization]).toEqual([
    'POST',
    '/search',
    'Bearer tvly-made-up-key',
  ])
  expect(JSON.parse(body.toString())).toEqual({
    query: 'otters & "rafts"',
    max_results: 5,
    search_depth: 'basic',
  })
})

test('Exa is asked with its key, and its results come in our shape', async () => {
  answer = (_request, response) =>
    answerJson(response, {
      requestId: 'r',
      results: [
        {
          id: '1',
          title: 'Otters',
          url: 'https://a.example/',
          publishedDate: '2026-01-02T00:00:00Z',
          score: 0.4,
          text: 'They raft.',
        },
      ],
    })
  expect(await search('exa')).toMatchObject({
    provider: 'exa',
    results: [
      { title: 'Otters', snippet: 'They raft.', score: 0.4, published: '2026-01-02T00:00:00Z' },
    ],
  })
  const [{ url, headers, body }] = server.seen as [(typeof server.seen)[0]]
  expect([url.pathname, headers['x-api-key']]).toEqual(['/search', 'exa-made-up-key'])
  expect(JSON.parse(body.toString())).toMatchObject({ query: 'otters & "rafts"', numResults: 5 })
})

test('SerpApi is asked with its key in the address, and an empty search is a success', async () => {
  answer = ({ url }, response) =>
    answerJson(
      response,
      url.searchParams.get('num') === '1'
        ? { search_metadata: { status: 'Success' }, error: 'Google hasn’t returned any results.' }
        : {
            search_metadata: { status: 'Success' },
            organic_results: [
              {
                position: 1,
                title: 'Otters',
                link: 'https://a.example/',
                snippet: 'Raft',
                date: 'Jan 2',
              },
            ],
          },
    )
  expect(await search('serpapi')).toMatchObject({
    provider: 'serpapi',
    results: [{ title: 'Otters', url: 'https://a.example/', snippet: 'Raft', published: 'Jan 2' }],
  })
  expect(Object.fromEntries(server.seen[0]!.url.searchParams)).toEqual({
    engine: 'google',
    q: 'otters & "rafts"',
    num: '5',
    api_key: keys.serpapi_api_key,
  })
  expect((await search('serpapi', keys, 1)).results).toEqual([])
})

test('DuckDuckGo needs no key, and its few results say so', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-javascript' })
    response.end(
      JSON.stringify({
        Heading: 'Otter',
        AbstractText: 'A mammal.',
        AbstractURL: 'https://en.wikipedia.org/wiki/Otter',
        Results: [],
        RelatedTopics: [
          { FirstURL: 'https://duckduckgo.com/Sea_otter', Text: 'Sea otter - A marine mammal.' },
          {
            Name: 'Films',
            Topics: [{ FirstURL: 'https://duckduckgo.com/Ring', Text: 'Ring of Bright Water' }],
          },
        ],
      }),
    )
  }
  const found = await search('auto', {})
  expect(found.provider).toBe('duckduckgo')
  expect(found.note).toContain('instant answers')
  expect(found.results).toEqual([
    { title: 'Otter', url: 'https://en.wikipedia.org/wiki/Otter', snippet: 'A mammal.' },
    {
      title: 'Sea otter',
      url: 'https://duckduckgo.com/Sea_otter',
      snippet: 'Sea otter - A marine mammal.',
    },
    {
      title: 'Ring of Bright Water',
      url: 'https://duckduckgo.com/Ring',
      snippet: 'Ring of Bright Water',
    },
  ])
  expect(server.seen[0]?.url.searchParams.get('q')).toBe('otters & "rafts"')
})

test('without a choice the first provider with a key searches; a tenant or an agent can choose', async () => {
  answer = (_request, response) => answerJson(response, { results: [] })
  const { exa_api_key, tavily_api_key } = keys
  expect((await search(null, { exa_api_key })).provider).toBe('exa')
  expect((await search(null, { exa_api_key, tavily_api_key })).provider).toBe('tavily')
  expect((await search(null, { ...keys, search_provider: 'exa' })).provider).toBe('exa')
  expect((await search('tavily', { ...keys, search_provider: 'exa' })).provider).toBe('tavily')
})

test.each(['tavily', 'exa', 'serpapi'])(
  '%s without its key is a missing secret',
  async (provider) => {
    await expect(search(provider, {})).rejects.toMatchObject({
      code: 'secret_missing',
      fix: `Set it with: toolcrib secrets set ${provider}_api_key`,
    })
    expect(server.seen).toEqual([])
  },
)

const providers = ['tavily', 'exa', 'serpapi', 'duckduckgo'] as const

test.each(providers)('%s: refusals are errors with codes, without the key', async (provider) => {
  const refuse = async (status: number, body: string, headers: Record<string, string> = {}) => {
    answer = (_request, response) => void response.writeHead(status, headers).end(body)
    const error = await search(provider).catch((error: unknown) => error as Error)
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('made')
    return error
  }
  const said = JSON.stringify({ error: 'Invalid API key.' })
  expect(await refuse(401, said)).toMatchObject({
    code: 'upstream_failed',
    retryable: false,
    message: expect.stringContaining('answered 401: Invalid API key.') as string,
  })
  expect(await refuse(429, '{}', { 'retry-after': '30' })).toMatchObject({
    code: 'rate_limited',
    retryable: true,
    details: { retryAfterMs: 30_000 },
  })
  expect(await refuse(503, '<h1>Down</h1>')).toMatchObject({
    code: 'upstream_failed',
    retryable: true,
    message: expect.stringContaining('503: Down') as string,
  })
  expect(await refuse(200, '<!doctype html><title>Sign in</title>')).toMatchObject({
    code: 'upstream_failed',
    retryable: false,
    message: expect.stringContaining('a web page') as string,
  })
  expect(await refuse(200, '{"results":[')).toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('not JSON') as string,
  })
  expect(await refuse(200, '{"something":"else"}')).toMatchObject({ code: 'upstream_failed' })
})

test('a server that is not there is reported without its address', async () => {
  const gone = await serveWeb(() => undefined)
  await gone.close()
  const options = { provider: 'serpapi', baseUrls: { ...all, serpapi: gone.url } }
  const error = await runTool(
    searchWeb,
    { query: 'x', limit: null },
    { web: directWeb, secrets: keys, options },
  ).catch((error: unknown) => error as Error)
  expect(error).toMatchObject({ code: 'upstream_failed', message: 'SerpApi could not be reached' })
  expect(JSON.stringify(error)).not.toContain('made')
})

test('addresses of providers are checked when they are set', () => {
  for (const serpapi of ['ftp://a', 'https://a/?b', 'https://u:p@a/', 'a']) {
    expect(searchWeb.parseOptions({ baseUrls: { serpapi } }).ok).toBe(false)
  }
  expect(searchWeb.parseOptions({ baseUrls: { exa: 'http://proxy:8080/exa' } }).ok).toBe(true)
})

test('search is offered without any key, but not while the key of the chosen provider is missing', async () => {
  const { api, ...crib } = await createTestCrib()
  const owner = ownerOf()
  const everything = { model: 'demo', tools: { allow: ['web.*'] } }
  await api.createAgent(owner, { slug: 'any', ...everything })
  const settings = { 'web.search': { options: { provider: 'tavily' } } }
  await api.createAgent(owner, { slug: 'picky', ...everything, settings })
  const seenBy = async (agent: string) =>
    (await api.listTools({ ...owner, agent }, { limit: 1000 })).items
      .filter(({ state }) => state === 'ready')
      .map(({ name }) => name)
      .filter((name) => name === 'web.search')

  expect([await seenBy('any'), await seenBy('picky')]).toEqual([['web.search'], []])
  await api.writeSecret(owner, { name: 'search_provider', value: 'exa' })
  expect([await seenBy('any'), await seenBy('picky')]).toEqual([[], []])
  const result = await crib.call('web.search', { query: 'x', limit: null })
  expect(result.error).toMatchObject({
    code: 'secret_missing',
    message: expect.stringContaining('secret exa_api_key is not set, and search_provider is exa'),
    fix: 'Run: toolcrib secrets set exa_api_key',
  })
  const { items } = await api.listTools(owner, { limit: 1000 })
  expect(items.find(({ name }) => name === 'web.search')).toMatchObject({
    state: 'misconfigured',
    fix: expect.stringContaining('toolcrib secrets set exa_api_key'),
  })
  await api.writeSecret(owner, { name: 'exa_api_key', value: 'a key for search' })
  expect([await seenBy('any'), await seenBy('picky')]).toEqual([['web.search'], []])
  await api.writeSecret(owner, { name: 'tavily_api_key', value: 'a key for search' })
  expect(await seenBy('picky')).toEqual(['web.search'])
  await api.writeSecret(owner, { name: 'search_provider', agent: 'any', value: 'serpapi' })
  expect(await seenBy('any')).toEqual([])
  await crib.close()
})

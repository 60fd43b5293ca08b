import { expect, test } from 'vitest'
import { followServer } from './follow-server.ts'

const before = { url: 'http://127.0.0.1:1', key: 'old' }
const after = { url: 'http://127.0.0.1:2', key: 'new' }

/** A server that was restarted: at the old address nobody is there, and the old key opens nothing. */
function createFetch(refusesOld: 'by key' | 'by absence' | 'by breaking off') {
  const asked: string[] = []
  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const key = new Headers(init?.headers).get('authorization')
    asked.push(`${init?.method ?? 'GET'} ${url} ${key}`)
    if (key === 'Bearer new') return new Response('{}')
    if (refusesOld === 'by key') return new Response('', { status: 401 })
    const code = refusesOld === 'by absence' ? 'ECONNREFUSED' : 'ECONNRESET'
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
  }
  return { fetch, asked }
}

test('a request that the restarted server refuses for its key is sent again with the new one', async () => {
  const { fetch, asked } = createFetch('by key')
  const following = followServer(fetch, before, async () => after)
  expect((await following(`${before.url}/api/v1/calls/c`, { method: 'POST' })).status).toBe(200)
  expect((await following(`${before.url}/api/v1/tools`)).status).toBe(200)
  expect(asked).toEqual([
    'POST http://127.0.0.1:1/api/v1/calls/c Bearer old',
    'POST http://127.0.0.1:2/api/v1/calls/c Bearer new',
    'GET http://127.0.0.1:2/api/v1/tools Bearer new',
  ])
})

test('a server that has not left word of its new key yet is waited for', async () => {
  const { fetch, asked } = createFetch('by key')
  const found = [undefined, undefined, after]
  const following = followServer(fetch, before, async () => found.shift())
  expect((await following(`${before.url}/x`)).status).toBe(200)
  expect(asked).toEqual([
    'GET http://127.0.0.1:1/x Bearer old',
    'GET http://127.0.0.1:2/x Bearer new',
  ])
})

test('a request that reached no server is sent again: it cannot have been executed', async () => {
  const { fetch, asked } = createFetch('by absence')
  const following = followServer(fetch, before, async () => after)
  expect((await following(`${before.url}/mcp`, { method: 'POST' })).status).toBe(200)
  expect(asked).toEqual([
    'POST http://127.0.0.1:1/mcp Bearer old',
    'POST http://127.0.0.1:2/mcp Bearer new',
  ])
})

test('of several at once all are sent again', async () => {
  const { fetch } = createFetch('by absence')
  const following = followServer(fetch, before, async () => after)
  const sent = ['a', 'b', 'c'].map((path) => following(`${before.url}/${path}`, { method: 'POST' }))
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a read whose connection breaks is asked again, a call never is', async () => {
  const { fetch } = createFetch('by breaking off')
  const following = followServer(fetch, before, async () => after)
  await expect(following(`${before.url}/x`, { method: 'POST' })).rejects.toThrow('fetch failed')
  expect((await following(`${before.url}/x`)).status).toBe(200)
})

test('a key that is wrong for the server there is stays wrong', async () => {
  const { fetch, asked } = createFetch('by key')
  const following = followServer(fetch, before, async () => before)
  expect((await following(`${before.url}/x`)).status).toBe(401)
  expect(asked).toHaveLength(1)
})

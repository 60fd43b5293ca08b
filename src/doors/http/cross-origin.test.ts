import { expect, test } from 'vitest'
import { type OpenDoor, useDoors } from './testing/open-door.ts'

const page = 'https://shop.example.com'
const openDoor = useDoors()
const ask: OpenDoor['ask'] = (...asked) => openDoor({ origins: [page] }).ask(...asked)
const preflight = (origin: string, path = '/api/v1/agents/support/chat') =>
  ask('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,user-agent',
    },
  })

test('a page of a configured origin may send its token and read every answer', async () => {
  const asked = await preflight(page)
  expect(asked.status).toBe(204)
  expect(asked.headers.get('access-control-allow-origin')).toBe(page)
  expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
  for (const name of ['authorization', 'content-type', 'user-agent', 'idempotency-key']) {
    expect(asked.headers.get('access-control-allow-headers')).toContain(name)
  }
  for (const [path, status] of [
    ['/api/v1/tools', 200],
    ['/api/v1/tools/no.such', 404],
  ] as const) {
    const answer = await ask('GET', path, { headers: { origin: page } })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
      status,
      page,
    ])
    expect(answer.headers.get('vary')).toContain('origin')
  }
})

test('the page can read the refusal of its token too', async () => {
  const headers = { origin: page, authorization: 'Bearer crib_nobody' }
  const answer = await ask('GET', '/api/v1/tools', { headers })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, page])
})

test('a page of another origin reads nothing, and no answer lets cookies along', async () => {
  for (const origin of ['https://evil.example.com', 'null', `${page}.evil.example.com`]) {
    const asked = await preflight(origin)
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([403, null])
    const answer = await ask('GET', '/api/v1/tools', { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
  expect((await preflight(page)).headers.get('access-control-allow-credentials')).toBeNull()
})

test('without configured origins the API takes no preflight', async () => {
  const answer = await openDoor().ask('OPTIONS', '/api/v1/tools', { headers: { origin: page } })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([405, null])
})

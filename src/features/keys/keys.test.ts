import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Crib } from '../../app/index.ts'
import { ownerOf } from '../../app/owner.ts'
import { createTestCrib } from '../../testing/index.ts'

let crib: Crib
let token: string
beforeAll(async () => {
  crib = await createTestCrib({})
  token = (await crib.api.createKey(ownerOf(), { name: 'admin', scopes: ['*'] })).token
})
afterAll(() => crib.close())

async function ask(method: string, path: string, body?: unknown) {
  const response = await crib.fetch(
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  const cache = response.headers.get('cache-control')
  return { status: response.status, cache, body: text === '' ? null : JSON.parse(text) }
}

const request = { name: 'ci', scopes: ['tools.call'], expiresAt: '2090-01-01T00:00:00Z' }

test('a key is created with its token in that one answer, listed without it, and revoked', async () => {
  const created = await ask('POST', '/keys', request)
  expect(created).toMatchObject({ status: 201, cache: 'no-store' })
  const { key } = created.body
  expect(key).toMatchObject({ name: 'ci', scopes: ['tools.call'] })
  expect(created.body.token).toMatch(/^crib_/)
  const listed = await ask('GET', '/keys')
  expect(listed.body.items).toContainEqual(key)
  expect(JSON.stringify(listed.body)).not.toContain(created.body.token)
  expect((await ask('DELETE', `/keys/${key.id}`)).status).toBe(204)
  expect((await ask('DELETE', `/keys/${key.id}`)).status).toBe(404)
})

test.each([
  ['no scopes', { ...request, scopes: [] }],
  ['an expiry that is not a time', { ...request, expiresAt: 'soon' }],
  ['no body', undefined],
])('a key with %s is refused', async (_what, body) => {
  expect((await ask('POST', '/keys', body)).status).toBe(400)
})

test('a change refuses query parameters that it does not know', async () => {
  expect(await ask('POST', '/keys?tenant=other', request)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('tenant') },
  })
})

test('a key is rotated with or without an overlap', async () => {
  const { id } = (await ask('POST', '/keys', request)).body.key
  const rotate = (body?: object) => ask('POST', `/keys/${id}/rotate`, body)
  expect(await rotate()).toMatchObject({ status: 200, cache: 'no-store', body: { key: { id } } })
  expect((await rotate({ overlapSeconds: 604_800 })).body.key.oldSecretUntil).toBeDefined()
  for (const overlapSeconds of [-1, 604_801, 1.5, '60']) {
    expect((await rotate({ overlapSeconds })).status).toBe(400)
  }
  expect((await ask('POST', '/keys/key_9/rotate')).status).toBe(404)
})

test('tokens are checked in bounds', async () => {
  const check = async (tokens: unknown) => (await ask('POST', '/keys/check', { tokens })).status
  const many = Array.from({ length: 101 }, () => 'crib_x')
  expect([await check(['crib_x']), await check([]), await check(many)]).toEqual([200, 400, 400])
  expect((await ask('GET', '/keys?limit=0')).status).toBe(400)
})

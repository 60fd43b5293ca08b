import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Crib } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { createTestCrib } from '../../src/testing/index.ts'

let crib: Crib
let token: string
beforeAll(async () => {
  crib = await createTestCrib()
  ;({ token } = await crib.api.createKey(ownerOf(), { name: 'k', scopes: ['*'] }))
})
afterAll(() => crib.close())

async function ask(route: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = route.split(' ')
  const response = await crib.fetch(
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
}

const acme = { slug: 'acme', name: 'Acme' }

test('a tenant is created, changed, and deleted when its slug is confirmed', async () => {
  expect(await ask('POST /tenants', acme)).toMatchObject({ status: 201, body: acme })
  expect(
    await ask('PATCH /tenants/acme', { status: 'suspended', reason: 'not paid' }),
  ).toMatchObject({ body: { status: 'suspended', reason: 'not paid' } })
  for (const wrong of [{ status: 'gone' }, { name: '' }, { name: 'a\nb' }, { slug: 'x' }]) {
    expect((await ask('PATCH /tenants/acme', wrong)).status).toBe(400)
  }
  expect((await ask('DELETE /tenants/acme')).status).toBe(400)
  expect((await ask('DELETE /tenants/acme?confirm=acm')).status).toBe(400)
  expect((await ask('DELETE /tenants/acme?confirm=acme')).status).toBe(204)
  expect((await ask('GET /tenants/acme')).status).toBe(404)
  expect((await ask(`GET /tenants/${'a'.repeat(201)}`)).status).toBe(404)
})

test('a member is added, changed and removed', async () => {
  const request = { email: 'ada@example.com', role: 'operator', permissions: ['tools.call'] }
  const made = await ask('POST /members', request)
  expect(made).toMatchObject({ status: 201, body: request })
  const { id } = made.body as { id: string }
  expect((await ask(`PATCH /members/${id}`, { status: 'suspended' })).body).toMatchObject({
    ...request,
    status: 'suspended',
  })
  for (const wrong of [
    { email: 'x@y.z' },
    { status: 'x' },
    { permissions: [1] },
    { id: 'mem_2' },
  ]) {
    expect((await ask(`PATCH /members/${id}`, wrong)).status).toBe(400)
  }
  expect((await ask('GET /members/names')).body).toMatchObject({
    items: expect.arrayContaining([{ id, name: 'ada' }]) as unknown,
  })
  expect((await ask(`DELETE /members/${id}`)).status).toBe(204)
  expect((await ask(`GET /members/${id}`)).status).toBe(404)
})

test('who you are says in which tenant you act', async () => {
  await ask('POST /tenants', { slug: 'beta' })
  expect(await ask('GET /me', undefined, { 'toolcrib-tenant': 'beta' })).toEqual({
    status: 200,
    body: {
      principal: expect.objectContaining({ kind: 'key' }) as unknown,
      tenant: 'beta',
      home: 'default',
      permissions: ['*'],
      changesFrom: expect.any(String) as unknown,
    },
  })
})

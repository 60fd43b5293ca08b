import { expect, test } from 'vitest'
import { openDoor } from '../testing/open-door.ts'

const acme = { slug: 'acme', name: 'Acme' }

test('a tenant is made, changed and deleted with its slug said again', async () => {
  const { ask } = openDoor()
  const made = await ask('POST', '/api/v1/tenants', { body: acme })
  expect(made.status).toBe(201)
  const patch = (body: unknown) => ask('PATCH', '/api/v1/tenants/acme', { body })
  expect(await (await patch({ status: 'suspended', reason: 'x' })).json()).toMatchObject({
    status: 'suspended',
    reason: 'x',
  })
  for (const body of [{ status: 'gone' }, { name: '' }, { name: 'a\nb' }, { slug: 'x' }]) {
    expect((await patch(body)).status).toBe(400)
  }
  expect((await ask('DELETE', '/api/v1/tenants/acme')).status).toBe(400)
  expect((await ask('DELETE', '/api/v1/tenants/acme?confirm=acme')).status).toBe(204)
  expect((await ask('GET', '/api/v1/tenants/acme')).status).toBe(404)
  expect((await ask('GET', `/api/v1/tenants/${'a'.repeat(201)}`)).status).toBe(404)
})

test('a member is added, changed and removed', async () => {
  const { ask } = openDoor()
  const body = { email: 'ada@example.com', role: 'operator', permissions: ['a.b'] }
  const made = await ask('POST', '/api/v1/members', { body })
  expect(made.status).toBe(201)
  const { id } = (await made.json()) as { id: string }
  const changed = await ask('PATCH', `/api/v1/members/${id}`, { body: { status: 'suspended' } })
  expect(await changed.json()).toMatchObject({ ...body, status: 'suspended' })
  for (const wrong of [
    { email: 'x@y.z' },
    { status: 'x' },
    { permissions: [1] },
    { id: 'mem_2' },
  ]) {
    expect((await ask('PATCH', `/api/v1/members/${id}`, { body: wrong })).status).toBe(400)
  }
  expect((await ask('DELETE', `/api/v1/members/${id}`)).status).toBe(204)
  expect((await ask('GET', `/api/v1/members/${id}`)).status).toBe(404)
})

test('who may says in which tenant to act; for others that tenant is not there', async () => {
  const { ask, crib } = openDoor()
  await ask('POST', '/api/v1/tenants', { body: acme })
  const headers = { 'toolcrib-tenant': 'acme' }
  expect(await (await ask('GET', '/api/v1/me', { headers })).json()).toEqual({
    principal: crib.owner.principal,
    tenant: 'acme',
    home: 'default',
    permissions: ['*'],
    changesFrom: expect.any(String),
  })
  await ask('POST', '/api/v1/tools/text.echo/calls', { body: { input: {} }, headers })
  expect(crib.requests.at(-1)?.caller).toMatchObject({ tenant: 'acme', home: 'default' })
  const other = { ...headers, authorization: 'Bearer crib_other' }
  const foreign = await ask('GET', '/api/v1/me', { headers: other })
  const missing = await ask('GET', '/api/v1/me', {
    headers: { ...other, 'toolcrib-tenant': 'nowhere' },
  })
  expect([foreign.status, missing.status]).toEqual([404, 404])
  const unknown = { ...headers, authorization: 'Bearer crib_nobody' }
  expect((await ask('GET', '/api/v1/me', { headers: unknown })).status).toBe(401)
})

test('a stream ends when its reader may no longer act in the tenant', async () => {
  const { ask } = openDoor({ limits: { heartbeatMs: 15 } })
  await ask('POST', '/api/v1/tenants', { body: acme })
  const headers = { 'toolcrib-tenant': 'acme', accept: 'text/event-stream' }
  const stream = await ask('GET', '/api/v1/events', { headers })
  setTimeout(() => void ask('DELETE', '/api/v1/tenants/acme?confirm=acme'), 40)
  expect(await stream.text()).toMatch(/^: heartbeat[\s\S]*event: error\ndata: .*"not_found"/)
})

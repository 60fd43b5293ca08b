import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCrib } from '../../app/create-crib.ts'
import type { Crib } from '../../app/crib.ts'
import { ownerOf } from '../../app/owner.ts'
import { createTempFolder } from '../../store/contract/temp-store.ts'

// In a folder: a rotation adds its key to the file of the ring.
let folder: Awaited<ReturnType<typeof createTempFolder>>
let crib: Crib
let headers: Record<string, string>
beforeAll(async () => {
  const agents = ['support', 'sales'].map((slug) => ({ slug }))
  folder = await createTempFolder()
  const { path } = folder
  const config = { agents, tools: [], packs: { web: false } }
  crib = await createCrib({ cwd: path, data: path, env: {}, config })
  const { token } = await crib.api.createKey(ownerOf(), { name: 'k', scopes: ['*'] })
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
})
afterAll(async () => {
  await crib.close()
  await folder.remove()
})

const value = 'hunter2-hunter2'

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  return crib.fetch(
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
}

test('secrets go in and never come out', async () => {
  const written = await ask('PUT', '/secrets/stripe_key', { value, agent: 'support' })
  expect(written.status).toBe(200)
  const summary = {
    name: 'stripe_key',
    agent: 'support',
    version: 1,
    updatedAt: expect.stringContaining('T') as string,
  }
  expect(await written.json()).toEqual(summary)
  const list = await ask('GET', '/secrets')
  expect(await list.json()).toEqual({ items: [{ ...summary, usedBy: [] }], requirements: [] })
  expect((await ask('GET', '/secrets/stripe_key')).status).toBe(405)
  for (const body of [{ value, extra: value }, { value: [value] }, `{"value":"${value}"`]) {
    const refused = await ask('PUT', '/secrets/stripe_key', body)
    expect(refused.status).toBe(400)
    expect(await refused.text()).not.toContain('hunter2')
  }
  const gone = await ask('DELETE', '/secrets/stripe_key?agent=support')
  expect([gone.status, await gone.text()]).toEqual([204, ''])
  expect((await ask('DELETE', '/secrets/stripe_key')).status).toBe(404)
})

test('notes change without the value, and null removes them', async () => {
  await ask('PUT', '/secrets/noted', { value, description: 'Of the dashboard' })
  const expiresAt = '2030-01-01T00:00:00.000Z'
  const noted = await ask('PATCH', '/secrets/noted', { description: null, expiresAt })
  expect(await noted.json()).toEqual({
    name: 'noted',
    version: 1,
    updatedAt: expect.stringContaining('T') as string,
    expiresAt,
  })
  expect((await ask('PATCH', '/secrets/noted', { expiresAt: 'soon' })).status).toBe(400)
  expect((await ask('PATCH', '/secrets/none', { expiresAt })).status).toBe(404)
})

test('a secret without a check is unchecked, and one that is not set is not found', async () => {
  await ask('PUT', '/secrets/plain', { value })
  expect(await (await ask('POST', '/secrets/plain/test')).json()).toEqual({
    name: 'plain',
    status: 'unchecked',
    message: 'No tool or pack provides a check for plain',
    checkedBy: [],
  })
  expect((await ask('POST', '/secrets/none/test')).status).toBe(404)
})

test('the key ring is shown, rotated and cleared of the old key', async () => {
  const ring = (await (await ask('GET', '/keyring')).json()) as { activeId: string }
  expect(ring).toMatchObject({ keys: [{ id: ring.activeId, isActive: true, isHeld: true }] })
  const rotated = await ask('POST', '/keyring/rotate')
  expect(rotated.status).toBe(200)
  expect(await rotated.json()).toMatchObject({ hasBegun: true, isDone: true })
  expect((await ask('POST', '/keyring/rotate', { key: 1 })).status).toBe(400)
  expect((await ask('DELETE', `/keyring/${ring.activeId}`)).status).toBe(200)
  expect((await ask('DELETE', '/keyring/k9')).status).toBe(404)
})

test('the agent of a secret is named in the query or in the body, and not in both differently', async () => {
  const put = (query: string, body: object) => ask('PUT', `/secrets/agents_own${query}`, body)
  expect(await (await put('?agent=sales', { value })).json()).toMatchObject({ agent: 'sales' })
  const inBody = await put('', { value, agent: 'sales' })
  expect(await inBody.json()).toMatchObject({ agent: 'sales' })
  expect((await put('?agent=sales', { value, agent: 'support' })).status).toBe(400)
  expect((await put('?agnet=sales', { value })).status).toBe(400)
  expect((await put('?agent=nobody', { value })).status).toBe(404)
})

import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { createHttpApp } from '../../src/doors/http/create-http-app.ts'
import { createTestCrib } from '../../src/testing/index.ts'

let crib: Crib
afterEach(() => crib.close())

const page = defineTool({
  name: 'wiki.fetch',
  description: 'Reads a page.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => 'a page',
})

/** What of an answer these tests look at. */
interface Answer {
  code?: string
  title?: string
  detail?: string
  refusalId?: string
  items?: object[]
  flags?: object[]
  decided?: { layer: string }
  now?: { verdict: string }
}

/** The door of a crib, asked with keys of these scopes. */
async function openDoor() {
  const config = { tenants: [{ slug: 'acme' }], agents: [{ slug: 'idle' }] }
  crib = await createTestCrib({ tools: [page], config })
  const app = createHttpApp({ api: crib.api, version: '0' })
  return async (scopes: string[], tenant = 'default') => {
    const { token } = await crib.api.createKey(ownerOf(tenant), { name: 'k', scopes })
    return async (method: string, path: string, body?: object) => {
      const response = await app.request(`/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return [response.status, text === '' ? undefined : JSON.parse(text)] as [number, Answer]
    }
  }
}

test('a refusal names its id, and those who may read policy learn why', async () => {
  const keyed = await openDoor()
  const caller = await keyed(['tools.call'])
  const [status, problem] = await caller('POST', '/tools/wiki.fetch/calls', {
    input: {},
    agent: 'idle',
  })
  expect([status, problem.code]).toEqual([404, 'tool_not_found'])
  const path = `/explain/${problem.refusalId}`
  const [found, past] = await (await keyed(['policy.read']))('GET', path)
  expect([found, past.decided?.layer, past.now?.verdict]).toEqual([200, 'grants', 'deny'])
  const words = async ([code, { title = '', detail = '' }]: [number, Answer]) => [
    code,
    title,
    detail.replace(/"[^"]*"/, '…'),
  ]
  const missing = await words(await caller('GET', `/explain/ref_${'0'.repeat(32)}`))
  expect(missing[0]).toBe(404)
  expect(await words(await caller('GET', path))).toEqual(missing)
  expect(await words(await (await keyed(['*'], 'acme'))('GET', path))).toEqual(missing)
})

test('labels and flags go over HTTP, tenant by tenant', async () => {
  const keyed = await openDoor()
  const [owner, other] = [await keyed(['*']), await keyed(['*'], 'acme')]
  const label = { reads: ['untrusted'] }
  expect((await owner('PUT', '/labels/wiki.*', label))[1]).toMatchObject({
    pattern: 'wiki.*',
    ...label,
  })
  expect((await owner('GET', '/labels/wiki.*'))[1]).toMatchObject(label)
  expect((await owner('GET', '/labels'))[1].items).toHaveLength(1)
  await owner('POST', '/tools/wiki.fetch/calls', { input: {}, sessionId: 's' })
  expect((await owner('GET', '/session-flags/s'))[1].items).toMatchObject([{ kind: 'untrusted' }])
  expect((await owner('GET', '/explain?session=s'))[1].flags).toMatchObject([
    { tool: 'wiki.fetch' },
  ])
  expect((await owner('GET', '/explain?session=other'))[1].flags).toEqual([])
  for (const [method, path] of [
    ['GET', '/labels/wiki.*'],
    ['DELETE', '/labels/wiki.*'],
    ['GET', '/session-flags/s'],
    ['DELETE', '/session-flags/s'],
  ] as const) {
    expect((await other(method, path))[0]).toBe(404)
  }
  expect((await owner('DELETE', '/session-flags/s'))[0]).toBe(200)
  expect((await owner('DELETE', '/session-flags/s'))[0]).toBe(404)
  expect((await owner('DELETE', '/labels/wiki.*'))[0]).toBe(204)
  expect((await owner('GET', '/explain?as=role:king'))[0]).toBe(404)
  expect((await (await keyed(['tools.call']))('GET', '/explain?as=role:owner'))[0]).toBe(403)
})

import { afterEach, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../../src/app/open-crib.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import type { JsonValue } from '../../src/core/kernel/json.ts'
import type { OpenStores } from '../../src/features/open-stores.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'

const owner = ownerOf()
/** Manages servers, and none of the secrets. */
const wirer: Caller = {
  ...owner,
  principal: { kind: 'user', id: 'mem_wirer' },
  permissions: ['mcp.manage', 'policy.read'],
}
const headers = { authorization: 'Bearer secret:docs_token' }
const withSecret = { url: 'https://docs.example/mcp', headers, enabled: false }

let crib: OpenCrib | undefined
afterEach(() => crib?.close())

async function open(given?: OpenStores) {
  const store = given ?? (await freshStore())
  crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    env: {},
    store,
    config: { tools: [], tenants: [{ slug: 'acme', mcpServers: { declared: withSecret } }] },
    onWarning: () => undefined,
  })
  return crib
}

const told = async () => {
  const types = ['mcp.server.added', 'mcp.server.changed', 'mcp.server.tested'] as const
  const { items } = (await crib?.api.readEvents(owner, { types, limit: 50 })) ?? { items: [] }
  return items.map(({ type, data }) => [type, (data as Record<string, unknown>)['secrets']])
}
const forbidden = {
  code: 'forbidden',
  message: expect.stringContaining('docs_token'),
  fix: expect.stringContaining('secrets.write'),
}

test('a server that names a secret is added, changed and tried out by who may write secrets alone', async () => {
  const { api } = await open()
  await expect(api.addMcpServer(wirer, { name: 'docs', ...withSecret })).rejects.toMatchObject(
    forbidden,
  )
  await expect(
    api.testMcpServer(wirer, { name: 'docs', server: withSecret }),
  ).rejects.toMatchObject(forbidden)
  const oauth = { clientId: 'crib', clientSecret: 'secret:docs_token' }
  const byOAuth = { url: withSecret.url, oauth }
  await expect(api.addMcpServer(wirer, { name: 'docs', ...byOAuth })).rejects.toMatchObject(
    forbidden,
  )
  await api.addMcpServer(owner, { name: 'docs', ...withSecret })
  const elsewhere = { url: 'https://evil.example/mcp' }
  await expect(api.changeMcpServer(wirer, { name: 'docs', ...elsewhere })).rejects.toMatchObject(
    forbidden,
  )
  await api.addMcpServer(wirer, { name: 'plain', url: 'https://plain.example/mcp', enabled: false })
  await expect(api.changeMcpServer(wirer, { name: 'plain', headers })).rejects.toMatchObject(
    forbidden,
  )
  const guessed = { secretsBy: 'user:owner' }
  await expect(api.changeMcpServer(wirer, { name: 'docs', ...guessed })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  expect(await told()).toEqual([
    ['mcp.server.added', ['docs_token']],
    ['mcp.server.added', undefined],
  ])
})

test('what does not change where a secret goes is anybody’s who manages servers', async () => {
  const { api } = await open()
  await api.addMcpServer(owner, { name: 'docs', ...withSecret })
  expect(await api.changeMcpServer(wirer, { name: 'docs', title: 'Docs' })).toMatchObject({
    title: 'Docs',
    state: 'disabled',
    headers,
  })
  expect(await api.changeMcpServer(wirer, { name: 'docs', headers: null })).toMatchObject({
    headers: {},
  })
})

test('a try with a secret is told, with where it went', async () => {
  const { api } = await open()
  await api.writeSecret(owner, { name: 'docs_token', value: 'a-secret-value-1' })
  const spec = { url: 'http://127.0.0.1:1024/mcp?q=1', headers }
  expect(await api.testMcpServer(owner, { name: 'docs', server: spec })).toMatchObject({
    ok: false,
  })
  const { items } = await api.readEvents(owner, { types: ['mcp.server.tested'], limit: 5 })
  const data = { server: 'docs', url: 'http://127.0.0.1:1024/mcp', secrets: ['docs_token'] }
  expect(items).toMatchObject([{ principal: owner.principal, data }])
})

test('one that was stored by who may not hand secrets over is closed until somebody who may saves it', async () => {
  const store = await freshStore()
  const { api } = await open(store)
  const body = { ...withSecret, enabled: true } as JsonValue
  await store.rules.change('default', wirer.principal, (draft) =>
    draft.put('mcp-server', 'docs', { body }),
  )
  await expect
    .poll(() => api.findMcpServer(owner, { name: 'docs' }).catch(() => undefined))
    .toMatchObject({
      state: 'closed',
      reason: expect.stringContaining('secrets.write'),
    })
  await expect(api.changeMcpServer(wirer, { name: 'docs', enabled: true })).rejects.toMatchObject(
    forbidden,
  )
  expect(await api.changeMcpServer(owner, { name: 'docs', enabled: false })).toMatchObject({
    state: 'disabled',
  })
  // Configuration is whoever runs the server.
  expect(await api.findMcpServer(ownerOf('acme'), { name: 'declared' })).toMatchObject({
    state: 'disabled',
  })
})

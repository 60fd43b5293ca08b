import { afterEach, expect, test, vi } from 'vitest'
import { openCrib, type OpenCrib } from '../../src/app/open-crib.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'
import { startOAuthUpstream } from '../setup/oauth-upstream.ts'

let crib: OpenCrib | undefined
const closers: (() => void)[] = []
afterEach(async () => {
  await crib?.close()
  for (const close of closers.splice(0)) close()
})

test('a tenant that is deleted leaves no server, and nobody else’s is touched', async () => {
  const upstream = await startOAuthUpstream()
  closers.push(upstream.stop)
  crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    env: {},
    store: await freshStore(),
    // Nobody's tenant reaches this machine, unless whoever runs it says so.
    config: { tools: [], gateway: { addresses: ['127.0.0.1'] } },
    onWarning: () => undefined,
  })
  const { api, gateway, store } = crib
  const slugs = ['gone', 'stays'] as const
  for (const slug of slugs) {
    await api.createTenant(ownerOf(), { slug, name: slug })
    const them = ownerOf(slug)
    await api.addMcpServer(them, { name: 'docs', url: upstream.docs, oauth: {} })
    const { url } = await api.authorizeMcpServer(them, { name: 'docs' })
    const back = new URL(await upstream.signIn(url, slug))
    await api.finishMcpSignIn(Object.fromEntries(back.searchParams) as { state: string }, undefined)
    await api.refreshMcpServer(them, { name: 'docs' })
    const { output } = await api.call({ tool: 'mcp:docs:whoami', input: {}, caller: them })
    expect(JSON.stringify(output)).toContain(slug)
  }
  expect(gateway.counts().servers).toBe(2)
  await api.deleteTenant(ownerOf(), { slug: 'gone', confirm: 'gone' })
  await vi.waitFor(() => expect(gateway.counts().servers).toBe(1))
  expect(gateway.statusOf('gone')).toEqual([])
  expect(gateway.statusOf('stays')).toMatchObject([{ server: 'docs', state: 'connected' }])
  expect(await store.connections.list('stays', 'docs')).toHaveLength(1)
})

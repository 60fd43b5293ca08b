import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../../src/app/open-crib.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { CallerClient } from '../../src/core/kernel/context/caller-client.ts'
import { createHttpApp } from '../../src/doors/http/create-http-app.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'
import { until } from '../setup/gateway-crib.ts'
import { type OAuthUpstream, startOAuthUpstream } from '../setup/oauth-upstream.ts'

const host = 'http://localhost:4680'
const owner = ownerOf()
let upstream: OAuthUpstream
let crib: OpenCrib

beforeAll(async () => {
  upstream = await startOAuthUpstream()
})
afterAll(() => upstream.stop())
afterEach(() => crib.close())

async function openSite() {
  const store = await freshStore()
  const config = { tools: [] }
  const options = { cwd: '/', data: '/nowhere', env: {}, onWarning: () => undefined }
  crib = await openCrib({ ...options, store, config })
  crib.setPublicUrl(host)
  await crib.api.addMcpServer(owner, { name: 'docs', url: upstream.docs, oauth: {} })
  const app = createHttpApp({ api: crib.api, version: '1.2.3' })
  const { token } = await store.keys.create({ tenant: 'default', name: 'k', scopes: ['*'] })
  const begin = async (headers: Record<string, string>) => {
    const path = `${host}/api/v1/mcp-servers/docs/authorize`
    const reply = await app.request(path, { method: 'POST', headers })
    const { url } = (await reply.json()) as { url: string }
    return new URL(await upstream.signIn(url))
  }
  const visit = (url: URL | string, cookie = '') =>
    app.request(String(url), { headers: { cookie } })
  const confirm = (back: URL) =>
    app.request(`${host}/oauth/callback`, {
      method: 'POST',
      body: back.searchParams.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: host,
      },
    })
  const byKey = { authorization: `Bearer ${token}` }
  return { ...crib, app, begin, visit, confirm, byKey }
}

test('before anybody has signed in, whoever calls is told to, unless policy keeps the server from them', async () => {
  const { api } = await openSite()
  const tool = 'mcp:docs:whoami'
  const wanted = { code: 'sign_in_required', fix: expect.stringContaining('mcp login docs') }
  // Also before it is known that the server wants one.
  expect((await api.call({ tool, input: {}, caller: owner })).error).toMatchObject(wanted)
  await until(
    async () => (await api.findMcpServer(owner, { name: 'docs' })).state === 'unauthorized',
  )
  expect((await api.call({ tool, input: {}, caller: owner })).error).toMatchObject(wanted)
  await expect(api.findTool(owner, { name: tool })).rejects.toMatchObject(wanted)
  await api.writePolicyDocument(owner, {
    kind: 'policy',
    name: 'tenant',
    body: { deny: ['mcp:docs:*'] },
  })
  const hidden = await api.call({ tool, input: {}, caller: owner })
  expect(hidden.error?.code).toBe('tool_not_found')
})

test('what a key has begun is asked about, ends once, and nothing of it is in the record', async () => {
  const { api, begin, visit, confirm, byKey } = await openSite()
  const back = await begin(byKey)
  const page = await (await visit(back)).text()
  expect(page).toContain('Continue only if')
  expect((await api.listMcpConnections(owner, { name: 'docs' })).items).toEqual([])
  expect((await confirm(back)).status).toBe(200)
  expect((await confirm(back)).status).toBe(401)
  const [connection] = (await api.listMcpConnections(owner, { name: 'docs' })).items
  expect(connection).toMatchObject({ subject: expect.stringMatching(/^key:/), isMine: false })
  const events = await api.readEvents(owner, { limit: 100 })
  expect(events.items.map(({ type }) => type)).toContain('mcp.server.signed_in')
  expect(JSON.stringify(events)).not.toMatch(/access_token|refresh_token|eyJ/)
})

test('what a session has begun ends in that session alone, without a question', async () => {
  const { api, begin, visit } = await openSite()
  const path = await api.createStartLink(ownerOf(undefined, 'web'))
  const link = new URL(path, host).searchParams.get('token') ?? ''
  const { token } = await api.signInByLink(link, {})
  const cookie = `toolcrib_4680=${token}`
  const headers = { cookie, origin: host, 'sec-fetch-site': 'same-origin' }
  const back = await begin(headers)
  // Whoever else has the address can neither end it nor spoil it.
  expect(await (await visit(back)).text()).toContain('Continue only if')
  const answer = Object.fromEntries(back.searchParams) as { state: string; code: string }
  await expect(api.finishMcpSignIn(answer, undefined)).rejects.toMatchObject({
    code: 'sign_in_failed',
  })
  const done = await visit(back, cookie)
  expect([done.status, await done.text()]).toEqual([
    200,
    expect.stringContaining('signed in to docs'),
  ])
  expect((await api.listMcpConnections(owner, { name: 'docs' })).items).toHaveLength(1)
  await api.disconnectMcpServer(owner, { name: 'docs' })
  expect((await api.listMcpConnections(owner, { name: 'docs' })).items).toEqual([])
})

test('a server that repeats its token is not heard, and nor is it after a renewal', async () => {
  const { api, gateway } = await openSite()
  const signIn = async () => {
    const { url } = await api.authorizeMcpServer(owner, { name: 'docs' })
    const back = new URL(await upstream.signIn(url))
    await api.finishMcpSignIn(Object.fromEntries(back.searchParams) as { state: string }, undefined)
  }
  const repeat = () => api.call({ tool: 'mcp:docs:repeat', input: {}, caller: owner })
  await upstream.set({ tokenSeconds: 20 })
  await signIn()
  await upstream.set({ tokenSeconds: 3600 })
  // With its first request the token is near its end, and is renewed.
  await gateway.refresh({ tenant: 'default', server: 'docs' }, owner.principal)
  const first = await repeat()
  await signIn()
  const second = await repeat()
  const said = { $content: [{ type: 'text', text: 'Bearer [redacted:sign-in token]' }] }
  expect([first.output, second.output]).toEqual([said, said])
  const record = await Promise.all([
    api.readEvents(owner, { limit: 100 }),
    api.findCall(owner, { id: first.callId ?? '' }),
  ])
  expect(JSON.stringify(record)).not.toContain('eyJ')
})

test('a caller whose client can show an address is asked to sign in, and the call goes on', async () => {
  const { api, gateway } = await openSite()
  const asked: string[] = []
  const client: CallerClient = {
    abilities: new Set(['elicitation.url']),
    async ask({ sign_in: request }) {
      if (request === undefined) throw new Error('nothing was asked')
      const { url } = request.params as { url: string }
      asked.push(url)
      const back = new URL(await upstream.signIn(url))
      const answer = Object.fromEntries(back.searchParams) as { state: string; code: string }
      await api.finishMcpSignIn(answer, undefined)
      return { sign_in: { action: 'accept' } }
    },
    log: () => undefined,
  }
  // Its tools are known once somebody has signed in; this caller has not.
  const someone = { ...owner, principal: { kind: 'user', id: 'bob' } } as const
  const { url } = await api.authorizeMcpServer(someone, { name: 'docs' })
  const back = new URL(await upstream.signIn(url))
  await api.finishMcpSignIn(Object.fromEntries(back.searchParams) as { state: string }, undefined)
  await gateway.refresh({ tenant: 'default', server: 'docs' }, someone.principal)
  const request = { tool: 'mcp:docs:whoami', input: {}, caller: owner }
  const alone = await api.call(request)
  expect(alone.error).toMatchObject({
    code: 'sign_in_required',
    fix: expect.stringContaining('toolcrib mcp login docs'),
  })
  const result = await api.call({ ...request, client })
  expect([result.status, asked.length]).toEqual(['completed', 1])
})

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import type { ConfigInput, Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/index.ts'

const host = 'http://localhost:4680'
const redirectUri = `${host}/sign-in/oidc/example/callback`
const owner = ownerOf()

let child: ChildProcess
let issuer: string
let crib: Crib | undefined

beforeAll(async () => {
  const program = path.join(import.meta.dirname, 'fixtures/oidc-server.ts')
  child = spawn(process.execPath, [program, JSON.stringify({ redirectUri })], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (child.stdout === null) throw new Error('The provider has no output')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  ;({ issuer } = JSON.parse(line) as { issuer: string })
})
afterAll(() => child.kill())
afterEach(() => crib?.close())

type Provider = NonNullable<NonNullable<ConfigInput['signIn']>['oidc']>[number]

async function openSite(more: Partial<Provider> = {}) {
  const provider = {
    name: 'example',
    label: 'Example',
    issuer,
    clientId: 'crib',
    clientSecretEnv: 'CRIB_SECRET',
    ...more,
  }
  crib = await createTestCrib({
    config: { signIn: { oidc: [provider] } },
    env: { CRIB_SECRET: 'a secret of the client' },
  })
  const app = createHttpApp({ api: crib.api, version: '1.2.3' })
  const visit = (url: string, cookie = '') => app.request(url, { headers: { cookie } })
  const start = async (query = '') => {
    const reply = await visit(`${host}/sign-in/oidc/example${query}`)
    return {
      status: reply.status,
      url: reply.headers.get('location') ?? '',
      cookie: cookieOf(reply),
    }
  }
  /** Walks through the provider as this person, and gives where it sends the browser back to. */
  const signInAs = async (
    email: string,
    change: (url: URL) => void = () => undefined,
    query?: string,
  ) => {
    const { url, cookie } = await start(query)
    const asked = new URL(url)
    asked.searchParams.set('login_hint', email)
    change(asked)
    return { cookie, back: await walk(asked.href) }
  }
  return { api: crib.api, visit, start, signInAs }
}

const cookieOf = (reply: Response) => (reply.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''

/** Follows redirects at the provider with its cookies, until it sends the browser back to us. */
async function walk(start: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let hop = 0; hop < 10 && !url.startsWith(host); hop += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    url = new URL(reply.headers.get('location') ?? 'about:blank', url).href
  }
  return url
}

const invited = async (api: Crib['api'], email: string) => {
  await api.createMember(owner, { email, name: 'Ada', role: 'operator' })
}

test('a member is signed in by the provider, with the role they have here', async () => {
  const { api, visit, start, signInAs } = await openSite()
  await invited(api, 'ada@example.com')
  const { url } = await start()
  const asked = new URL(url).searchParams
  expect(Object.fromEntries(asked)).toEqual({
    client_id: 'crib',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  const { back, cookie } = await signInAs('ada@example.com')
  const entered = await visit(back, cookie)
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
  const account = await visit(`${host}/api/v1/account`, cookieOf(entered))
  expect(await account.json()).toMatchObject({
    member: { email: 'ada@example.com', name: 'Ada', role: 'operator' },
    signIn: { method: 'oidc' },
  })
  const { items } = await api.readEvents(owner, { types: ['member.signed_in'], limit: 10 })
  expect(items.map(({ data }) => data)).toMatchObject([{ method: 'oidc', via: 'example' }])
})

test('the way through the provider leads to where somebody was going, and to no other server', async () => {
  const { api, visit, signInAs } = await openSite()
  await invited(api, 'ada@example.com')
  const page = await (await visit(`${host}/sign-in?next=/calls`)).text()
  expect(page).toContain('href="/sign-in/oidc/example?next=%2Fcalls"')
  const leadsTo = async (next: string) => {
    const query = `?next=${encodeURIComponent(next)}`
    const { back, cookie } = await signInAs('ada@example.com', undefined, query)
    return (await visit(back, cookie)).headers.get('location')
  }
  expect(await leadsTo('/calls?status=failed')).toBe('/calls?status=failed')
  expect(await leadsTo('//evil.example')).toBe('/')
})

test('a way back that was used is used up, also for the browser that used it', async () => {
  const { api, visit, signInAs } = await openSite()
  await invited(api, 'ada@example.com')
  const { back, cookie } = await signInAs('ada@example.com')
  expect((await visit(back, cookie)).status).toBe(303)
  const again = await visit(back, cookie)
  expect(again.status).toBe(401)
  expect(again.headers.getSetCookie()).toEqual([])
})

test('a code that was redeemed is refused by the provider and signs nobody in', async () => {
  const { api, visit, signInAs } = await openSite()
  await invited(api, 'ada@example.com')
  const first = await signInAs('ada@example.com')
  expect((await visit(first.back, first.cookie)).status).toBe(303)
  // A sign-in of one's own, finished with the code of another.
  const second = await signInAs('ada@example.com')
  const mixed = new URL(second.back)
  mixed.searchParams.set('code', new URL(first.back).searchParams.get('code') ?? '')
  expect((await visit(mixed.href, second.cookie)).status).toBe(401)
})

test('another browser, another state and no state at all are refused', async () => {
  const { api, visit, start, signInAs } = await openSite()
  await invited(api, 'ada@example.com')
  const { back, cookie } = await signInAs('ada@example.com')
  const other = await start()
  expect((await visit(back)).status).toBe(401)
  expect((await visit(back, other.cookie)).status).toBe(401)
  const wrong = new URL(back)
  wrong.searchParams.set('state', 'x'.repeat(43))
  expect((await visit(wrong.href, cookie)).status).toBe(401)
  wrong.searchParams.delete('state')
  expect((await visit(wrong.href, cookie)).status).toBe(401)
  // None of it has spoiled the sign-in of the right browser.
  expect((await visit(back, cookie)).status).toBe(303)
})

test('a token that was made for another sign-in is refused by its nonce', async () => {
  const { api, visit, signInAs } = await openSite()
  await invited(api, 'ada@example.com')
  const { back, cookie } = await signInAs('ada@example.com', (url) =>
    url.searchParams.set('nonce', 'another'),
  )
  const reply = await visit(back, cookie)
  expect(reply.status).toBe(401)
  expect(await reply.text()).toContain('Signing in with example failed')
})

test('an answer that names another issuer is refused', async () => {
  const { api, visit, signInAs } = await openSite()
  await invited(api, 'ada@example.com')
  const { back, cookie } = await signInAs('ada@example.com')
  const mixed = new URL(back)
  expect(mixed.searchParams.get('iss')).toBe(issuer)
  mixed.searchParams.set('iss', 'https://evil.example')
  expect((await visit(mixed.href, cookie)).status).toBe(401)
})

test('an address that the provider does not vouch for lets nobody in', async () => {
  const { api, visit, signInAs } = await openSite({ provision: { role: 'member' } })
  await invited(api, 'unverified@example.com')
  const { back, cookie } = await signInAs('unverified@example.com')
  const reply = await visit(back, cookie)
  expect(reply.status).toBe(401)
  expect(await reply.text()).toContain('has not verified your email address')
})

test.each(['worded', 'blank'])(
  'an address is vouched for by true, and taken as it stands: %s',
  async (name) => {
    const { api, visit, signInAs } = await openSite({ provision: { role: 'member' } })
    await invited(api, `${name}@example.com`)
    const { back, cookie } = await signInAs(`${name}@example.com`)
    expect((await visit(back, cookie)).status).toBeGreaterThanOrEqual(400)
  },
)

test('an ID token that the provider has not signed lets nobody in', async () => {
  const { api, visit, signInAs } = await openSite()
  await invited(api, 'forged@example.com')
  const { back, cookie } = await signInAs('forged@example.com')
  expect((await visit(back, cookie)).status).toBe(401)
})

test('who is no member comes in only where the configuration says so, and from its domains', async () => {
  const closed = await openSite()
  const stranger = await closed.signInAs('eve@example.com')
  const refused = await closed.visit(stranger.back, stranger.cookie)
  expect(refused.status).toBe(401)
  expect(await refused.text()).toContain('No member of this tenant has this address')
  await crib?.close()
  const open = await openSite({ provision: { role: 'viewer' }, allowedDomains: ['example.com'] })
  const eve = await open.signInAs('eve@example.com')
  const entered = await open.visit(eve.back, eve.cookie)
  expect(entered.status).toBe(303)
  const account = await open.visit(`${host}/api/v1/account`, cookieOf(entered))
  expect(await account.json()).toMatchObject({
    member: { email: 'eve@example.com', name: 'Person eve', role: 'viewer' },
  })
  const foreign = await open.signInAs('eve@evil.example')
  expect((await open.visit(foreign.back, foreign.cookie)).status).toBe(401)
})

test('a member who is suspended here is not let in by the provider', async () => {
  const { api, visit, signInAs } = await openSite({ provision: { role: 'member' } })
  const { id } = await api.createMember(owner, { email: 'ada@example.com', role: 'member' })
  await api.changeMember(owner, { id, status: 'suspended' })
  const { back, cookie } = await signInAs('ada@example.com')
  expect((await visit(back, cookie)).status).toBe(401)
})

test('a provider that is down is said to be, and other ways stay open', async () => {
  const { start, visit } = await openSite({ issuer: 'http://127.0.0.1:9' })
  expect((await start()).status).toBe(502)
  const page = await visit(`${host}/sign-in/oidc/example`)
  expect(await page.text()).toContain('example returned an invalid response')
  expect((await visit(`${host}/sign-in/oidc/unknown`)).status).toBe(404)
  expect((await visit(`${host}/sign-in`)).status).toBe(200)
})

test('a secret that is not set and a role that is not there stop the start', async () => {
  const provider = { name: 'example', label: 'Example', issuer, clientId: 'crib' }
  const open = (more: Partial<Provider>) =>
    createTestCrib({ config: { signIn: { oidc: [{ ...provider, ...more }] } }, env: {} })
  await expect(open({ clientSecretEnv: 'NOT_SET' })).rejects.toMatchObject({
    code: 'invalid_config',
  })
  await expect(open({ provision: { role: 'king' } })).rejects.toMatchObject({
    code: 'invalid_config',
  })
  await expect(open({ issuer: 'http://provider.example' })).rejects.toMatchObject({
    code: 'invalid_config',
  })
})

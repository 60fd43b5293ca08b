import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionStore, SignInTarget } from '../src/core/gateway/connection-store.ts'
import type { OAuthPorts } from '../src/gateway/oauth/oauth-ports.ts'
import { revokeTokens } from '../src/gateway/oauth/revoke-tokens.ts'
import { beginSignIn, finishSignIn, startedBy } from '../src/gateway/oauth/sign-in.ts'
import { readTokens } from '../src/gateway/oauth/token-document.ts'
import { createUpstreamAuth } from '../src/gateway/oauth/upstream-auth.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import { type OAuthUpstream, startOAuthUpstream } from './setup/oauth-upstream.ts'

const redirectUrl = 'http://127.0.0.1:4680/oauth/callback'
const by = { kind: 'user', id: 'ada' } as const
let upstream: OAuthUpstream

beforeAll(async () => {
  upstream = await startOAuthUpstream()
})
afterAll(() => upstream.stop())

async function openPorts(changes: Partial<OAuthPorts> = {}): Promise<OAuthPorts> {
  return {
    connections: changes.connections ?? (await freshStore()).connections,
    redirectUrl: () => redirectUrl,
    clientMetadataUrl: () => undefined,
    fetchFor: () => fetch,
    readValue: async (_tenant, given) => given,
    now: Date.now,
    ...changes,
  }
}

function targetOf(changes: Partial<SignInTarget> = {}): SignInTarget {
  const oauth = { scopes: [], perUser: true }
  const key = { tenant: 'default', server: 'docs', subject: 'user:ada' }
  return { ...key, url: upstream.docs, oauth, ...changes }
}

async function signIn(ports: OAuthPorts, target: SignInTarget, who?: string): Promise<void> {
  const { url } = await beginSignIn(ports, target, { by })
  const back = new URL(await upstream.signIn(url, who))
  await comeBack(ports, target, back)
}

async function comeBack(ports: OAuthPorts, target: SignInTarget, back: URL): Promise<void> {
  const answer = Object.fromEntries(back.searchParams) as { state: string; code?: string }
  const pending = await ports.connections.take(answer.state)
  if (pending === undefined) throw new Error('there is no such sign-in')
  await finishSignIn(ports, target, { pending, answer })
}

/** Calls a tool with what is stored for the target. */
async function call(ports: OAuthPorts, target: SignInTarget, name = 'whoami'): Promise<unknown> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const authProvider = createUpstreamAuth(ports, target)
  await client.connect(new StreamableHTTPClientTransport(new URL(target.url), { authProvider }))
  try {
    const result = await client.callTool({ name, arguments: { text: 'a note' } })
    const [block] = result.content
    return block?.type === 'text' ? block.text : undefined
  } finally {
    await client.close()
  }
}

const tokensOf = async (connections: ConnectionStore, target: SignInTarget) =>
  (await connections.find(target, { kind: 'tokens' }))?.value as {
    tokens: { access_token: string; refresh_token: string; scope?: string }
    url: string
  }

describe('signing in to an MCP server', () => {
  test('whoever has not signed in is told how to', async () => {
    await expect(call(await openPorts(), targetOf())).rejects.toMatchObject({
      code: 'sign_in_required',
      fix: expect.stringContaining('toolcrib mcp login docs'),
    })
  })

  test('a person signs in once, and calls as themselves', async () => {
    const ports = await openPorts()
    const target = targetOf()
    await signIn(ports, target)
    expect(JSON.parse(String(await call(ports, target)))).toEqual({
      sub: 'ada',
      scopes: ['mcp:read'],
      server: 'docs',
    })
    const bob = targetOf({ subject: 'user:bob' })
    await expect(call(ports, bob)).rejects.toMatchObject({ code: 'sign_in_required' })
    const before = await upstream.stats()
    await signIn(ports, bob, 'bob')
    expect(await call(ports, bob)).toContain('"sub":"bob"')
    // We are known there already: the tenant has one registration, whoever signs in.
    expect((await upstream.stats()).registrations).toBe(before.registrations)
  })

  test('a token is for one server: another gets none of it, also under the same name', async () => {
    const ports = await openPorts()
    const docs = targetOf()
    await signIn(ports, docs)
    const { tokens } = await tokensOf(ports.connections, docs)
    const stolen = await fetch(upstream.mail, {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(stolen.status).toBe(401)
    const moved = targetOf({ url: upstream.mail })
    expect(await createUpstreamAuth(ports, moved).token()).toBeUndefined()
    await expect(call(ports, moved)).rejects.toMatchObject({ code: 'sign_in_required' })
  })

  test('a token that ends soon is renewed once, however many want it', async () => {
    await upstream.set({ tokenSeconds: 20 })
    const ports = await openPorts()
    const target = targetOf()
    await signIn(ports, target)
    await upstream.set({ tokenSeconds: 3600 })
    const first = await tokensOf(ports.connections, target)
    const before = await upstream.stats()
    // Each is a node of its own: they share nothing but the store.
    const nodes = Array.from({ length: 5 }, () => createUpstreamAuth(ports, target))
    const given = await Promise.all(nodes.map((node) => node.token()))
    const after = await tokensOf(ports.connections, target)
    expect(new Set(given)).toEqual(new Set([after.tokens.access_token]))
    expect(after.tokens.refresh_token).not.toBe(first.tokens.refresh_token)
    const stats = await upstream.stats()
    expect([stats.refreshes - before.refreshes, stats.replays - before.replays]).toEqual([1, 0])
    expect(await call(ports, target)).toContain('"sub":"ada"')
  })

  test('a token is renewed by the client it was given to, wherever people are sent back to by now', async () => {
    const target = targetOf()
    const { connections } = await openPorts()
    await signIn(await openPorts({ connections }), target)
    const moved = await openPorts({
      connections,
      redirectUrl: () => 'http://127.0.0.1:4999/oauth/callback',
    })
    const before = await upstream.stats()
    await corrupt(moved, target, 'access_token')
    expect(await call(moved, target)).toContain('"sub":"ada"')
    // Who signs in from there is another client, and takes nothing from those who were there before.
    const other = targetOf({ subject: 'user:eve' })
    await signIn(moved, other, 'eve')
    await corrupt(moved, target, 'access_token')
    expect(await call(moved, target)).toContain('"sub":"ada"')
    const stats = await upstream.stats()
    expect([stats.refreshes - before.refreshes, stats.replays - before.replays]).toEqual([2, 0])
    expect(stats.registrations - before.registrations).toBe(1)
    const held = readTokens(await connections.find(target, { kind: 'tokens' }), target.url)
    expect(held && (await revokeTokens(moved, target, held))).toBe(true)
  })

  test('a renewal that is too slow sends nothing when the next may have its turn', async () => {
    await upstream.set({ tokenSeconds: 20 })
    const { connections } = await openPorts()
    const target = targetOf()
    await signIn(await openPorts({ connections }), target)
    await upstream.set({ tokenSeconds: 3600 })
    const clock = { ms: Date.now() }
    const asked: string[] = []
    const slow = await openPorts({
      connections,
      now: () => clock.ms,
      fetchFor: () => async (url, init) => {
        asked.push(new URL(url).pathname)
        const answer = await fetch(url, init)
        clock.ms += 9000
        return answer
      },
    })
    const failure = { code: 'upstream_failed', message: expect.stringContaining('renewed') }
    await expect(createUpstreamAuth(slow, target).token()).rejects.toMatchObject(failure)
    expect(asked).not.toContain('/token')
    // The one that comes next finds the token as it was.
    const before = await upstream.stats()
    expect(await call(await openPorts({ connections }), target)).toContain('"sub":"ada"')
    const stats = await upstream.stats()
    expect([stats.refreshes - before.refreshes, stats.replays - before.replays]).toEqual([1, 0])
  })

  test('a token that the server no longer takes is renewed, and the call goes on', async () => {
    const ports = await openPorts()
    const target = targetOf()
    await signIn(ports, target)
    await corrupt(ports, target, 'access_token')
    expect(await call(ports, target)).toContain('"sub":"ada"')
  })

  test('a renewal that is refused ends the connection; one that could not be asked for does not', async () => {
    const target = targetOf()
    const store = (await freshStore()).connections
    const ports = await openPorts({ connections: store })
    await signIn(ports, target)
    await corrupt(ports, target, 'access_token')
    const offline = await openPorts({
      connections: store,
      fetchFor: () => async () => Promise.reject(new Error('no route')),
    })
    const from = performance.now()
    for (let time = 0; time < 2; time += 1) {
      await expect(call(offline, target)).rejects.toMatchObject({ code: 'upstream_failed' })
    }
    // Whoever comes next does not wait for what has failed already.
    expect(performance.now() - from).toBeLessThan(60_000)
    expect(await store.find(target, { kind: 'tokens' })).toBeDefined()
    const again = await openPorts()
    await signIn(again, target)
    await corrupt(again, target, 'access_token', 'refresh_token')
    await expect(call(again, target)).rejects.toMatchObject({ code: 'sign_in_required' })
    expect(await again.connections.find(target, { kind: 'tokens' })).toBeUndefined()
  })

  test('a client that is known no more ends in a sign-in, also where none can be registered now', async () => {
    const target = targetOf()
    const { connections } = await openPorts()
    const ports = await openPorts({ connections })
    await signIn(ports, target)
    await corrupt(ports, target, 'access_token')
    const { fetchFor } = ports
    const forgetful = await openPorts({
      connections,
      fetchFor: (of) => async (url, init) => {
        const { pathname } = new URL(url)
        if (init?.method !== 'POST' || !/\/(token|reg|register)$/.test(pathname)) {
          return fetchFor(of)(url, init)
        }
        const isToken = pathname.endsWith('/token')
        const error = isToken ? 'invalid_client' : 'server_error'
        return Response.json({ error }, { status: isToken ? 401 : 503 })
      },
    })
    await expect(call(forgetful, target)).rejects.toMatchObject({ code: 'sign_in_required' })
    expect(await connections.find({ ...target, subject: '' }, { kind: 'client' })).toBeUndefined()
  })

  test('a server that wants more says so, and the next sign-in asks for both', async () => {
    const ports = await openPorts()
    const target = targetOf()
    await signIn(ports, target)
    const auth = createUpstreamAuth(ports, target)
    await expect(call(ports, target, 'write')).rejects.toMatchObject({ requiredScope: 'mcp:write' })
    await expect(auth.stepUp('mcp:write')).rejects.toMatchObject({ code: 'sign_in_required' })
    const { url } = await beginSignIn(ports, target, { by })
    expect(new URL(url).searchParams.get('scope')?.split(' ').toSorted()).toEqual(
      expect.arrayContaining(['mcp:read', 'mcp:write']),
    )
    await comeBack(ports, target, new URL(await upstream.signIn(url)))
    expect(await call(ports, target, 'write')).toBe('wrote a note')
  })
})

test('tokens that are given up work no more at the authorization server', async () => {
  const ports = await openPorts()
  const target = targetOf()
  await signIn(ports, target)
  const held = readTokens(await ports.connections.find(target, { kind: 'tokens' }), target.url)
  if (held === undefined) throw new Error('nobody has signed in')
  expect(await revokeTokens(ports, target, held)).toBe(true)
  await corrupt(ports, target, 'access_token')
  await expect(call(ports, target)).rejects.toMatchObject({ code: 'sign_in_required' })
})

/** The stored tokens, made unusable. */
async function corrupt(ports: OAuthPorts, target: SignInTarget, ...which: string[]) {
  const found = await ports.connections.find(target, { kind: 'tokens' })
  const value = found?.value as { tokens: Record<string, string> }
  for (const name of which) value.tokens[name] = 'void'
  await ports.connections.put(target, {
    kind: 'tokens',
    issuer: upstream.issuer,
    value: value,
  })
}

describe('what comes back', () => {
  test('is bound to who began it, works once, and is asked for with PKCE and the resource', async () => {
    const ports = await openPorts()
    const target = targetOf()
    const { url } = await beginSignIn(ports, target, { by, signInId: 'ses_1' })
    const asked = new URL(url).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect([asked.get('resource'), asked.get('redirect_uri')]).toEqual([upstream.docs, redirectUrl])
    const state = asked.get('state') ?? ''
    const pending = await ports.connections.peek(state)
    expect(pending && startedBy(pending)).toEqual({ by, signInId: 'ses_1' })
    await comeBack(ports, target, new URL(await upstream.signIn(url)))
    expect(await ports.connections.take(state)).toBeUndefined()
  })

  test('from another issuer is refused before the code is shown to anybody', async () => {
    const ports = await openPorts()
    const target = targetOf()
    const { url } = await beginSignIn(ports, target, { by })
    const back = new URL(await upstream.signIn(url))
    back.searchParams.set('iss', 'https://evil.example')
    const before = await upstream.stats()
    await expect(comeBack(ports, target, back)).rejects.toMatchObject({ code: 'sign_in_failed' })
    expect((await upstream.stats()).codes).toBe(before.codes)
    expect(await ports.connections.find(target, { kind: 'tokens' })).toBeUndefined()
  })

  test('with a no is told, and nothing is stored', async () => {
    const ports = await openPorts()
    const target = targetOf()
    await expect(signIn(ports, target, 'nobody')).rejects.toMatchObject({
      code: 'sign_in_failed',
      message: expect.stringContaining('access_denied'),
    })
    expect(await ports.connections.list('default', 'docs')).toEqual([])
  })

  test('for a server that has another address meanwhile is refused', async () => {
    const ports = await openPorts()
    const { url } = await beginSignIn(ports, targetOf(), { by })
    const back = new URL(await upstream.signIn(url))
    await expect(comeBack(ports, targetOf({ url: upstream.mail }), back)).rejects.toMatchObject({
      code: 'sign_in_failed',
    })
  })
})

test('a client that is known to the authorization server already is used, and kept to that one', async () => {
  const known = await startOAuthUpstream({ knownClientAt: redirectUrl })
  try {
    const oauth = { scopes: [], perUser: true, clientId: 'crib', clientSecret: 'secret:client' }
    const ports = await openPorts({
      readValue: async (_tenant, given) =>
        given === 'secret:client' ? 'a secret of the client' : given,
    })
    const target = targetOf({ url: known.docs, oauth })
    const { url } = await beginSignIn(ports, target, { by })
    await comeBack(ports, target, new URL(await known.signIn(url)))
    expect(await call(ports, target)).toContain('"sub":"ada"')
    const client = await ports.connections.find({ ...target, subject: '' }, { kind: 'client' })
    expect(JSON.stringify(client)).not.toContain('a secret of the client')
    const moved = targetOf({ url: upstream.docs, oauth })
    await expect(beginSignIn(ports, moved, { by })).rejects.toMatchObject({
      code: 'sign_in_failed',
      message: expect.stringContaining(known.issuer),
    })
  } finally {
    known.stop()
  }
})

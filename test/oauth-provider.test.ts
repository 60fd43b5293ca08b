import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { createTestCrib } from '../src/testing/index.ts'

const redirectUri = 'http://127.0.0.1:5999/callback'
const publicUrl = 'https://crib.example.com'
const owner = ownerOf()

let child: ChildProcess
let issuer: string
let crib: Crib | undefined

beforeAll(async () => {
  const program = path.join(import.meta.dirname, 'fixtures/token-server.ts')
  child = spawn(process.execPath, [program, JSON.stringify({ redirectUri })], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (child.stdout === null) throw new Error('The provider has no output')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  ;({ issuer } = JSON.parse(line) as { issuer: string })
})
afterAll(() => child.kill())
afterEach(() => crib?.close())

/** Signs in at the provider as a public client with PKCE, for this resource, and redeems the code. */
async function getToken(
  resource: string,
  { person = 'ada@example.com', scope = 'tools.call' } = {},
) {
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URL(`${issuer}/auth`)
  asked.search = new URLSearchParams({
    client_id: 'an-mcp-client',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    resource,
    login_hint: person,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const code = new URL(await walk(asked.href)).searchParams.get('code') ?? ''
  const reply = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'an-mcp-client',
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
      resource,
    }),
  })
  return ((await reply.json()) as { access_token: string }).access_token
}

async function walk(start: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let hop = 0; hop < 10 && !url.startsWith(redirectUri); hop += 1) {
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

async function openDoor() {
  crib = await createTestCrib({
    config: {
      server: {
        publicUrl,
        oauth: {
          issuers: [
            {
              issuer,
              scopes: { 'tools.call': ['tools.call'], 'approvals.decide': ['approvals.decide'] },
            },
          ],
        },
      },
      agents: [{ slug: 'support', tools: { allow: ['*'] } }],
    },
  })
  const app = createHttpApp({ api: crib.api, version: '1.2.3', publicUrl })
  const ask = (token: string) =>
    app.request('/api/v1/me', { headers: { authorization: `Bearer ${token}` } })
  return { api: crib.api, app, ask }
}

test('a client finds the issuer, signs in there for this server, and is the member it signed in as', async () => {
  const { api, app, ask } = await openDoor()
  const { id } = await api.createMember(owner, { email: 'ada@example.com', role: 'operator' })
  const metadata = await app.request('/.well-known/oauth-protected-resource/mcp')
  const { resource, authorization_servers: servers } = (await metadata.json()) as {
    resource: string
    authorization_servers: string[]
  }
  expect([resource, servers]).toEqual([`${publicUrl}/mcp`, [issuer]])
  const reply = await ask(await getToken(resource, { scope: 'tools.call approvals.decide' }))
  expect(await reply.json()).toMatchObject({
    principal: { kind: 'user', id },
    tenant: 'default',
    permissions: ['tools.call', 'approvals.decide'],
  })
})

test('a token for the address of one agent acts as that agent alone', async () => {
  const { api, ask } = await openDoor()
  await api.createMember(owner, { email: 'ada@example.com', role: 'member' })
  const reply = await ask(await getToken(`${publicUrl}/mcp/support`))
  expect(await reply.json()).toMatchObject({ agent: 'support', permissions: ['tools.call'] })
  expect((await ask(await getToken(`${publicUrl}/mcp/nobody`))).status).toBe(403)
})

test('a token for another resource opens nothing here', async () => {
  const { api, ask } = await openDoor()
  await api.createMember(owner, { email: 'ada@example.com', role: 'member' })
  expect((await ask(await getToken('https://other.example.com/mcp'))).status).toBe(401)
})

test('people who are no members, or whose address is not verified, are refused', async () => {
  const { api, ask } = await openDoor()
  await api.createMember(owner, { email: 'unverified@example.com', role: 'member' })
  for (const person of ['eve@example.com', 'unverified@example.com']) {
    expect((await ask(await getToken(`${publicUrl}/mcp`, { person }))).status).toBe(403)
  }
})

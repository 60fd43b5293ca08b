import {
  Client,
  type OAuthClientInformationFull,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import { operator } from '../setup/governed-crib.ts'
import { type OAuthUpstream, startOAuthUpstream } from '../setup/oauth-upstream.ts'
import { type McpCrib, openMcpCrib } from './mcp-crib.ts'

/** A client with the sign-in of its own SDK, a real authorization server, and this server between tokens. */
const who = defineTool({
  name: 'who.calls',
  description: 'Says who calls.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: (_input, { principal, agent }) => `${principal.id} ${agent ?? 'nobody'}`,
})
const redirectUrl = 'http://127.0.0.1:5998/callback'

let issuer: OAuthUpstream
let mcp: McpCrib
let ada: string

beforeAll(async () => {
  issuer = await startOAuthUpstream()
  const subjects = { ada: 'ada@example.com', vic: 'vic@example.com' }
  const trusted = {
    issuer: issuer.issuer,
    scopes: { 'mcp:read': ['tools.call'] },
    subjects,
    clockToleranceSeconds: 0,
  }
  const agents = [{ slug: 'support', tools: { allow: ['*'] } }]
  mcp = await openMcpCrib({
    tools: [who],
    config: { server: { oauth: { issuers: [trusted] } }, agents },
  })
  mcp.crib.setPublicUrl(mcp.server.url)
  const { api } = mcp.crib
  ada = (await api.createMember(operator, { email: subjects.ada, role: 'member' })).id
  await api.createMember(operator, { email: subjects.vic, role: 'viewer' })
})
beforeEach(() => issuer.set({ tokenSeconds: 3600 }))
afterAll(async () => {
  await mcp.close()
  issuer.stop()
})

/** What a client keeps of its sign-in, and how often it sent its person to one. */
async function openProvider() {
  const clientMetadata = {
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  }
  const body = JSON.stringify(clientMetadata)
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${issuer.issuer}/reg`, { method: 'POST', headers, body })
  const known = (await reply.json()) as OAuthClientInformationFull
  const kept: { tokens?: OAuthTokens; verifier: string; asked: URL[]; given: number } = {
    verifier: '',
    asked: [],
    given: 0,
  }
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata,
    clientInformation: () => ({ ...known, issuer: issuer.issuer }),
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens
      kept.given += 1
    },
    redirectToAuthorization: (url) => void kept.asked.push(url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  }
  return { provider, kept }
}

/** Comes without a token, is sent to the issuer, signs in there and comes again. */
async function signIn(path: string, person: string, era: 'today' | 'older' | 'session' = 'today') {
  const { provider, kept } = await openProvider()
  const open = () =>
    new StreamableHTTPClientTransport(new URL(path, mcp.server.url), { authProvider: provider })
  const client = () =>
    new Client(
      { name: 'test', version: '1' },
      {
        versionNegotiation: { mode: era === 'today' ? 'auto' : 'legacy' },
        capabilities: era === 'session' ? { roots: {} } : {},
      },
    )
  const first = open()
  await expect(client().connect(first)).rejects.toThrow('Unauthorized')
  const back = new URL(await issuer.signIn(kept.asked[0]?.href ?? '', person))
  await first.finishAuth(back.searchParams)
  const again = client()
  return { kept, client: again, connected: again.connect(open()) }
}

async function callOf(client: Client): Promise<unknown> {
  const { content } = await client.callTool({ name: 'who_calls', arguments: {} })
  return content
}
const text = (words: string) => [{ type: 'text', text: words }]

test.each([
  ['/mcp', 'nobody'],
  ['/mcp/support', 'support'],
])(
  'from a 401 of %s to a made call, for that resource and the scope it takes',
  async (path, agent) => {
    const { kept, client, connected } = await signIn(path, 'ada')
    await connected
    expect(await callOf(client)).toEqual(text(`${ada} ${agent}`))
    const asked = kept.asked.map(({ searchParams }) => [
      searchParams.get('resource'),
      searchParams.get('scope')?.split(' ')[0],
    ])
    expect(asked).toEqual([[new URL(path, mcp.server.url).href, 'mcp:read']])
    await client.close()
  },
)

test.each(['today', 'older', 'session'] as const)(
  'a token that ends is renewed by the client, and the conversation goes on (%s)',
  async (era) => {
    await issuer.set({ tokenSeconds: 3 })
    const { kept, client, connected } = await signIn('/mcp', 'ada', era)
    await connected
    expect(await callOf(client)).toEqual(text(`${ada} nobody`))
    const given = kept.given
    await new Promise((resolve) => setTimeout(resolve, 3500))
    expect(await callOf(client)).toEqual(text(`${ada} nobody`))
    expect(kept.given).toBeGreaterThan(given)
    expect(kept.asked).toHaveLength(1)
    await client.close()
  },
)

test.each([
  ['whose role calls no tools', 'vic'],
  ['who is no member', 'eve'],
])('somebody %s is told so, and not sent to sign in again', async (_what, person) => {
  const { kept, connected } = await signIn('/mcp', person)
  await expect(connected).rejects.toThrow('403')
  expect(kept.asked).toHaveLength(1)
})

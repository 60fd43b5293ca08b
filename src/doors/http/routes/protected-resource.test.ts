import { expect, test } from 'vitest'
import { bearerChallenge } from '../request/bearer-challenge.ts'
import type { HttpAppOptions } from '../create-http-app.ts'
import { useDoors } from '../testing/open-door.ts'

const openDoor = useDoors()

const terms = {
  issuers: ['https://id.example.com'],
  scopes: ['tools.call'],
  requiredScopes: [],
  callScopes: ['tools.call'],
}

function openWithIssuer(options: Partial<HttpAppOptions> = {}) {
  const door = openDoor(options)
  door.api.tokenTerms = () => terms
  return door
}

function open(publicUrl?: string) {
  return openWithIssuer({ publicUrl }).app
}

test('everybody may read which servers issue tokens for MCP, also from a web page', async () => {
  const reply = await open('https://crib.example.com/').request(
    '/.well-known/oauth-protected-resource/mcp',
  )
  expect(reply.status).toBe(200)
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  expect(await reply.json()).toEqual({
    resource: 'https://crib.example.com/mcp',
    authorization_servers: ['https://id.example.com'],
    scopes_supported: ['tools.call'],
    bearer_methods_supported: ['header'],
    resource_name: 'Toolcrib',
    resource_documentation: 'https://crib.example.com/docs',
  })
})

test.each([
  ['/.well-known/oauth-protected-resource', 'http://localhost/mcp'],
  ['/.well-known/oauth-protected-resource/mcp/support', 'http://localhost/mcp/support'],
  ['/.well-known/oauth-protected-resource/mcp/servers/x_1', 'http://localhost/mcp/servers/x_1'],
])('%s describes %s', async (path, resource) => {
  expect(await (await open().request(path)).json()).toMatchObject({ resource })
})

test.each(['A%22B', 'servers/A%22B'])(
  'an impossible resource is not described: %s',
  async (name) => {
    const reply = await open().request(`/.well-known/oauth-protected-resource/mcp/${name}`)
    expect(reply.status).toBe(404)
  },
)

test('a name that anybody can write is not repeated as ours', async () => {
  const { app } = openWithIssuer({ hosts: { isOwn: (host) => host === 'crib.test' } })
  const ask = async (origin: string) => {
    const metadata = await app.request(`${origin}/.well-known/oauth-protected-resource/mcp`)
    const challenge = await app.request(`${origin}/mcp`, { method: 'POST' })
    return [metadata.status, challenge.headers.get('www-authenticate')]
  }
  const said = 'Bearer realm="toolcrib", scope="tools.call"'
  const where = 'http://crib.test/.well-known/oauth-protected-resource/mcp'
  expect(await ask('http://crib.test')).toEqual([200, `${said}, resource_metadata="${where}"`])
  expect(await ask('http://evil.example')).toEqual([404, said])
})

test.each([
  'x%22,%20resource_metadata=%22https:%2f%2fevil.example%2fprm',
  'x%0d%0aX-Evil:%20y',
  'x%E2%82%AC',
])('%s in the path stays as it was sent', async (path) => {
  const { app, faults } = openWithIssuer()
  const reply = await app.request(`http://crib.test/mcp/${path}`, { method: 'POST' })
  const where = `http://crib.test/.well-known/oauth-protected-resource/mcp/${path}`
  expect([reply.status, reply.headers.get('www-authenticate'), faults]).toEqual([
    401,
    `Bearer realm="toolcrib", scope="tools.call", resource_metadata="${where}"`,
    [],
  ])
})

test('a challenge names the metadata, what went wrong, and the scope that is wanted', () => {
  const metadataUrl = 'https://crib.example.com/.well-known/oauth-protected-resource/mcp'
  const end = `resource_metadata="${metadataUrl}"`
  expect(bearerChallenge({ metadataUrl, terms })).toBe(
    `Bearer realm="toolcrib", scope="tools.call", ${end}`,
  )
  const unknown = { code: 'unauthorized', message: 'No "good"\n\\ key €', details: {} } as const
  expect(bearerChallenge({ metadataUrl, terms, error: unknown })).toBe(
    `Bearer realm="toolcrib", error="invalid_token", error_description="No ?good??? key ?", scope="tools.call", ${end}`,
  )
  const details = { missingScopes: ['a', 'b'] }
  const lacking = { code: 'forbidden', message: 'More', details } as const
  expect(bearerChallenge({ metadataUrl, terms, error: lacking })).toBe(
    `Bearer realm="toolcrib", error="insufficient_scope", error_description="More", scope="a b", ${end}`,
  )
})

import { expect, test } from 'vitest'
import { bearerChallenge } from '../request/bearer-challenge.ts'
import { createHttpApp } from '../create-http-app.ts'
import { createMemoryCrib } from '../testing/memory-crib.ts'

const terms = { issuers: ['https://id.example.com'], scopes: ['tools.call'], requiredScopes: [] }

function open(publicUrl?: string) {
  const { api } = createMemoryCrib()
  return createHttpApp({ api: { ...api, tokenTerms: () => terms }, version: '1', publicUrl })
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
])('%s describes %s', async (path, resource) => {
  expect(await (await open().request(path)).json()).toMatchObject({ resource })
})

test('an agent that no agent could be is not described', async () => {
  const reply = await open().request('/.well-known/oauth-protected-resource/mcp/A%22B')
  expect(reply.status).toBe(404)
})

test('a challenge names the metadata, what went wrong, and the scope that is wanted', () => {
  const metadataUrl = 'https://crib.example.com/.well-known/oauth-protected-resource/mcp'
  const end = `resource_metadata="${metadataUrl}"`
  expect(bearerChallenge({ metadataUrl, terms })).toBe(
    `Bearer realm="toolcrib", scope="tools.call", ${end}`,
  )
  const unknown = { code: 'unauthorized', details: {} } as const
  expect(bearerChallenge({ metadataUrl, terms, error: unknown })).toBe(
    `Bearer realm="toolcrib", error="invalid_token", scope="tools.call", ${end}`,
  )
  const lacking = { code: 'forbidden', details: { missingScopes: ['a', 'b'] } } as const
  expect(bearerChallenge({ metadataUrl, terms, error: lacking })).toBe(
    `Bearer realm="toolcrib", error="insufficient_scope", scope="a b", ${end}`,
  )
})

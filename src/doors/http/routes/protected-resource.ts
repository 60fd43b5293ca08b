import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import { serverNamePattern } from '../../../core/gateway/server-spec.ts'
import { slugPattern } from '../../../core/rules/tenant.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { Door, PublicRoute } from '../route.ts'

const document = z
  .object({
    resource: z.url(),
    authorization_servers: z.array(z.url()).optional(),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.literal('header')),
    resource_name: z.string(),
    resource_documentation: z.url(),
  })
  .meta({ id: 'ProtectedResource' })

const facts = {
  method: 'get',
  tag: 'Server',
  description:
    'RFC 9728: which authorization servers issue tokens for the MCP endpoint, and with which scopes. Without `authorization_servers` only API keys are taken.',
  answers: { 200: { description: 'The metadata', schema: document } },
} as const

/** Where MCP clients read how to get a token: for the endpoint, and for that of one agent or server. */
export const protectedResourceRoutes: readonly PublicRoute[] = [
  {
    ...facts,
    path: '/.well-known/oauth-protected-resource',
    summary: 'How to get a token for MCP',
    visit: ({ door, request }) => describe(door, request, '/mcp'),
  },
  {
    ...facts,
    path: '/.well-known/oauth-protected-resource/mcp',
    summary: 'The same, at the address that belongs to /mcp',
    visit: ({ door, request }) => describe(door, request, '/mcp'),
  },
  {
    ...facts,
    path: '/.well-known/oauth-protected-resource/mcp/{agent}',
    summary: 'How to get a token for the MCP endpoint of one agent',
    params: { agent: 'The slug of the agent' },
    visit({ door, request }) {
      const agent = request.param('agent') ?? ''
      // Whether there is such an agent is nobody's business before they have a token.
      if (slugPattern.test(agent)) return describe(door, request, `/mcp/${agent}`)
      throw new ToolError('not_found', 'No agent is called that')
    },
  },
  {
    ...facts,
    path: '/.well-known/oauth-protected-resource/mcp/servers/{server}',
    summary: 'How to get a token for one MCP server behind this one',
    params: { server: 'The name of the server' },
    visit({ door, request }) {
      const server = request.param('server') ?? ''
      if (serverNamePattern.test(server)) return describe(door, request, `/mcp/servers/${server}`)
      throw new ToolError('not_found', 'No MCP server is called that')
    },
  },
]

/** The address of the metadata that belongs to a path such as `/mcp`. */
export function protectedResourceUrl(origin: string, path: string): string {
  return `${origin}/.well-known/oauth-protected-resource${path}`
}

/** The address that clients use; undefined where all there is for it is a name that nobody vouches for. */
export function originOf(
  { publicUrl, isOwnHost }: Pick<Door, 'publicUrl' | 'isOwnHost'>,
  request: Pick<HttpRequest, 'url'>,
): string | undefined {
  const { origin, host } = new URL(publicUrl ?? request.url)
  return publicUrl !== undefined || isOwnHost(host) ? origin : undefined
}

function describe(door: Door, request: HttpRequest, path: string): Reply {
  const origin = originOf(door, request)
  if (origin === undefined) throw nameless()
  const { issuers, scopes } = door.api.tokenTerms()
  const metadata = {
    resource: `${origin}${path}`,
    // The standard wants an empty list left out.
    ...(issuers.length > 0 && { authorization_servers: issuers }),
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Toolcrib',
    resource_documentation: `${origin}/docs`,
  }
  // Clients that are web pages read it too; there is nothing in it that is not for everybody.
  const reply = json(200, metadata, ['access-control-allow-origin', '*'])
  return { ...reply, cacheControl: 'public, max-age=300' }
}

function nameless(): ToolError {
  return new ToolError('not_found', 'This server does not know that it has this name', {
    fix: 'Set server.publicUrl to the address people use, or add the name to server.hosts.',
  })
}

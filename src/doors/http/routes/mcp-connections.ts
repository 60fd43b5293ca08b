import { z } from 'zod'
import { mcpConnection } from '../describe/mcp-schemas.ts'
import { shortText, time } from '../../../core/operations/fields.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { serverName } from './mcp-servers.ts'

const tag = 'MCP servers'
const params = { name: 'The name of the server' }

const authorize = defineRoute({
  method: 'post',
  path: '/api/v1/mcp-servers/{name}/authorize',
  tag,
  summary: 'Begin to sign in to an MCP server',
  description:
    'Open `url` in a browser. It is bound to the session or key that began it, and works once. Needs `tools.call`, and `mcp.manage` where one signs in for the whole tenant.',
  params,
  answers: {
    200: {
      description: 'Where to sign in',
      schema: z.object({ url: z.string(), expiresAt: time }).meta({ id: 'McpSignIn' }),
    },
  },
  async handle({ door, caller, request }) {
    return json(200, await door.api.authorizeMcpServer(caller, serverName(request)))
  },
})

const listConnections = defineRoute({
  method: 'get',
  path: '/api/v1/mcp-servers/{name}/connections',
  tag,
  summary: 'List who has signed in to an MCP server',
  description: 'One’s own; with `mcp.manage` everybody’s. Never a token.',
  params,
  answers: {
    200: { description: 'Who has', schema: z.object({ items: z.array(mcpConnection) }) },
  },
  async handle({ door, caller, request }) {
    return json(200, { items: await door.api.listMcpConnections(caller, serverName(request)) })
  },
})

const disconnect = defineRoute({
  method: 'delete',
  path: '/api/v1/mcp-servers/{name}/connections',
  tag,
  summary: 'Give up a sign-in to an MCP server',
  params,
  query: z.strictObject({
    subject: shortText('Whose, as the list says; one’s own when left out').optional(),
  }),
  answers: { 204: { description: 'Its tokens are gone' } },
  async handle({ door, caller, query, request }) {
    await door.api.disconnectMcpServer(caller, serverName(request), query.subject)
    return empty(204)
  },
})

/** Signing in to MCP servers. */
export const mcpConnectionRoutes: readonly Route[] = [authorize, listConnections, disconnect]

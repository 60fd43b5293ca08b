import { z } from 'zod'
import { type ConnectionFacts, toSubject } from '../../core/gateway/connection-store.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { tokenSignIn } from '../../core/oauth/oauth-api.ts'
import { shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { holds, requireManager } from '../../core/operations/require-permission.ts'
import type { McpServerParts } from './parts.ts'
import { type McpConnection, mcpConnection, mcpSignIn } from './schemas.ts'
import { toPrincipal, toTarget } from './sign-in-target.ts'

const define = operationsOf<McpServerParts>('MCP servers')
const params = { name: 'The name of the server' }
const needs = { oneOf: ['tools.call', 'mcp.manage'] } as const

const authorizeMcpServer = define({
  http: 'POST /api/v1/mcp-servers/{name}/authorize',
  summary: 'Start signing in to an MCP server',
  description:
    'Open `url` in a browser. It works once, and only for the sign-in or key that started it. Signing in for the whole tenant needs `mcp.manage`.',
  needs,
  agents: 'own',
  params,
  answer: { description: 'Where to sign in', schema: mcpSignIn },
  async run({ name }, { caller, parts: { servers, signIns } }) {
    const { tenant, principal } = caller
    const { spec } = await servers.findUsable(caller, name)
    const target = toTarget({ tenant, server: name, spec, principal })
    if (target.subject === '') requireManager(caller, ['mcp.manage'])
    // A token has no browser session: its holder confirms in the browser in which they return.
    const isByToken = caller.signInId?.startsWith(tokenSignIn) === true
    const starter = { by: principal, signInId: isByToken ? undefined : caller.signInId }
    const { url, expiresAt } = await signIns.begin(target, starter)
    return { url, expiresAt: new Date(expiresAt).toISOString() }
  },
})

const listMcpConnections = define({
  http: 'GET /api/v1/mcp-servers/{name}/connections',
  summary: 'List the sign-ins to an MCP server',
  description: 'Your own; all of them with `mcp.manage`. Tokens are never included.',
  needs,
  agents: 'own',
  params,
  answer: { description: 'Who has', schema: z.object({ items: z.array(mcpConnection) }) },
  async run({ name }, { caller, parts: { servers, store } }) {
    await servers.find(caller, name)
    const all = (await store.connections.list(caller.tenant, name)).map((one) =>
      toConnection(one, caller),
    )
    return { items: holds(caller, 'mcp.manage') ? all : all.filter(({ isMine }) => isMine) }
  },
})

const disconnectMcpServer = define({
  http: 'DELETE /api/v1/mcp-servers/{name}/connections',
  summary: 'Sign out of an MCP server',
  needs,
  agents: 'own',
  params,
  query: z.strictObject({
    subject: shortText(
      'The owner of the connection, as in the list; your own if omitted',
    ).optional(),
  }),
  async run({ name, subject: wanted }, { caller, parts }) {
    const { servers, store, signIns, gateway } = parts
    const { tenant, principal } = caller
    const { spec } = await servers.find(caller, name)
    const mine = spec?.oauth?.perUser === false ? '' : toSubject(principal)
    const subject = wanted ?? mine
    if (subject !== toSubject(principal)) requireManager(caller, ['mcp.manage'])
    const key = { tenant, server: name, subject }
    const data = { server: name, subject }
    const event = { type: 'mcp.server.signed_out', data } as const
    const held = await store.connections.find(key, { kind: 'tokens' })
    const given = { kind: 'tokens', told: { principal, event } } as const
    if (!(await store.connections.remove(key, given))) throw notConnected(name)
    if (spec?.url !== undefined && spec.oauth !== undefined) {
      await signIns.revoke({ ...key, url: spec.url, oauth: spec.oauth }, held)
    }
    await gateway.stop({ tenant, server: name }, toPrincipal(subject))
  },
})

/** Signing in to MCP servers, by library method: for oneself, or with `mcp.manage` for the tenant. */
export const connectionOperations = { authorizeMcpServer, listMcpConnections, disconnectMcpServer }

function toConnection(
  { subject, issuer, connectedAt, updatedAt }: ConnectionFacts,
  { principal }: Caller,
): McpConnection {
  return {
    ...(subject !== '' && { subject }),
    isMine: subject === toSubject(principal) || subject === '',
    issuer,
    connectedAt: new Date(connectedAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

function notConnected(name: string): ToolError {
  return new ToolError('not_found', `No one by that name has signed in to ${name}`, {
    fix: `toolcrib mcp connections ${name} lists the sign-ins.`,
  })
}

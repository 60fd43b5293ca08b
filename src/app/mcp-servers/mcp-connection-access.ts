import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import {
  type ConnectionKey,
  type Credential,
  toSubject,
} from '../../core/gateway/connection-store.ts'
import type { McpConnection, McpServersApi } from '../../core/gateway/mcp-servers-api.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { OAuthPorts, SignInTarget } from '../../gateway/oauth/oauth-ports.ts'
import { readTokens } from '../../gateway/oauth/token-document.ts'
import { tokenSignIn } from '../oauth/token-caller.ts'
import { holds, requireManager, requireOneOf } from '../../core/operations/require-permission.ts'
import type { McpAccessParts } from './mcp-access-parts.ts'
import { toPrincipal, toTarget } from './sign-in-target.ts'

type ConnectionAccess = Pick<
  McpServersApi,
  'authorizeMcpServer' | 'listMcpConnections' | 'disconnectMcpServer'
>

/** Signing in to servers: everybody for themselves, or somebody with `mcp.manage` for the tenant. */
export function createMcpConnectionAccess(
  parts: McpAccessParts & { oauth: OAuthPorts },
): ConnectionAccess {
  const { servers, store, gateway, oauth } = parts
  async function target(caller: Caller, name: string): Promise<SignInTarget> {
    const { spec } = await servers.findUsable(caller, name)
    return toTarget({ tenant: caller.tenant, server: name, spec, principal: caller.principal })
  }
  return {
    async authorizeMcpServer(caller, name) {
      requireOneOf(caller, ['tools.call', 'mcp.manage'])
      const wanted = await target(caller, name)
      if (wanted.subject === '') requireManager(caller, ['mcp.manage'])
      const { principal: by } = caller
      // No browser has the session of a token: its holder is asked in whichever they come back with.
      const signInId =
        caller.signInId?.startsWith(tokenSignIn) === true ? undefined : caller.signInId
      const { beginSignIn } = await import('../../gateway/oauth/sign-in.ts')
      const { url, expiresAt } = await beginSignIn(oauth, wanted, { by, signInId })
      return { url, expiresAt: new Date(expiresAt).toISOString() }
    },
    async listMcpConnections(caller, name) {
      requireOneOf(caller, ['tools.call', 'mcp.manage'])
      await servers.find(caller, name)
      const mine = toSubject(caller.principal)
      const all = (await store.connections.list(caller.tenant, name)).map((one): McpConnection => ({
        ...(one.subject !== '' && { subject: one.subject }),
        isMine: one.subject === mine || one.subject === '',
        issuer: one.issuer,
        connectedAt: new Date(one.connectedAt).toISOString(),
        updatedAt: new Date(one.updatedAt).toISOString(),
      }))
      return holds(caller, 'mcp.manage') ? all : all.filter(({ isMine }) => isMine)
    },
    async disconnectMcpServer(caller, name, wanted) {
      requireOneOf(caller, ['tools.call', 'mcp.manage'])
      const { spec } = await servers.find(caller, name)
      const mine = spec?.oauth?.perUser === false ? '' : toSubject(caller.principal)
      const subject = wanted ?? mine
      if (subject !== toSubject(caller.principal)) requireManager(caller, ['mcp.manage'])
      const key = { tenant: caller.tenant, server: name, subject }
      const event = {
        type: 'mcp.server.signed_out',
        at: Date.now(),
        data: { server: name, subject },
      } as const
      const told = { principal: caller.principal, event }
      const held = await store.connections.find(key, { kind: 'tokens' })
      if (!(await store.connections.remove(key, { kind: 'tokens', told }))) throw notConnected(name)
      await tellIssuer({ oauth, spec, key, held })
      await gateway.stop({ tenant: caller.tenant, server: name }, toPrincipal(subject))
    },
  }
}

interface GivenUp {
  oauth: OAuthPorts
  spec: McpServerSpec | undefined
  key: ConnectionKey
  held: Credential | undefined
}

/** As far as it can be told: here the tokens are gone whatever comes of it. */
async function tellIssuer({ oauth, spec, key, held }: GivenUp): Promise<void> {
  if (spec?.url === undefined || spec.oauth === undefined) return
  const tokens = readTokens(held, spec.url)
  if (tokens === undefined) return
  const target = { ...key, url: spec.url, oauth: spec.oauth }
  const { revokeTokens } = await import('../../gateway/oauth/revoke-tokens.ts')
  await revokeTokens(oauth, target, tokens).catch(() => false)
}

function notConnected(name: string): ToolError {
  return new ToolError('not_found', `Nobody of that name has signed in to ${name}`, {
    fix: `toolcrib mcp connections ${name} lists who has.`,
  })
}

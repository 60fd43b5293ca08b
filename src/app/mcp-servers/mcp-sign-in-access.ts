import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { toSubject } from '../../core/gateway/connection-store.ts'
import type { McpConnection, McpServersApi } from '../../core/gateway/mcp-servers-api.ts'
import { toClientMetadata } from '../../gateway/oauth/client-metadata.ts'
import type { OAuthPorts, SignInTarget } from '../../gateway/oauth/oauth-ports.ts'
import {
  beginSignIn,
  finishSignIn,
  signInIsOver,
  type SignInStarter,
  startedBy,
} from '../../gateway/oauth/sign-in.ts'
import { holds, requireManager, requireOneOf } from '../api/permissions.ts'
import type { McpAccessParts } from './mcp-access-parts.ts'
import { toTarget } from './sign-in-target.ts'

type SignInAccess = Pick<
  McpServersApi,
  | 'authorizeMcpServer'
  | 'listMcpConnections'
  | 'disconnectMcpServer'
  | 'findMcpSignIn'
  | 'finishMcpSignIn'
  | 'mcpClientMetadata'
>

/** Signing in to servers: everybody for themselves, or somebody with `mcp.manage` for the tenant. */
export function createMcpSignInAccess(parts: McpAccessParts & { oauth: OAuthPorts }): SignInAccess {
  const { servers, store, gateway, oauth, reload } = parts

  async function target(caller: Caller, name: string): Promise<SignInTarget> {
    const { spec } = await servers.findUsable(caller, name)
    return toTarget({ tenant: caller.tenant, server: name, spec, principal: caller.principal })
  }
  async function open(state: string) {
    const pending = await store.connections.peek(state)
    const started = pending && startedBy(pending)
    if (pending === undefined || started === undefined) throw signInIsOver()
    return { pending, started }
  }
  return {
    async authorizeMcpServer(caller, name) {
      requireOneOf(caller, ['tools.call', 'mcp.manage'])
      const wanted = await target(caller, name)
      if (wanted.subject === '') requireManager(caller, ['mcp.manage'])
      const { principal: by, signInId } = caller
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
      if (!(await store.connections.remove(key, { kind: 'tokens', told }))) throw notConnected(name)
      await gateway.stop({ tenant: caller.tenant, server: name }, toPrincipal(subject))
    },
    async findMcpSignIn(state, browser) {
      const { pending, started } = await open(state)
      return toOffer(pending, started, browser)
    },
    async finishMcpSignIn(answer, browser) {
      const { started } = await open(answer.state)
      // Looked at before it is used up: whoever only knows the state can't spoil it.
      if (started.signInId !== undefined && started.signInId !== browser?.signInId) {
        throw otherBrowser()
      }
      const pending = await store.connections.take(answer.state)
      if (pending === undefined) throw signInIsOver()
      const { tenant, server, subject } = pending
      const { spec } = await servers.findUsable({ tenant }, server)
      const wanted = { ...toTarget({ tenant, server, spec, principal: started.by }), subject }
      await finishSignIn(oauth, wanted, { pending, answer })
      // With the tokens its tools can be listed; whoever signed in need not wait for that.
      gateway
        .refresh({ tenant, server }, toPrincipal(subject))
        .then(() => reload(tenant))
        .catch(() => undefined)
      return toOffer(pending, started, browser)
    },
    mcpClientMetadata() {
      const url = oauth.clientMetadataUrl()
      if (url === undefined) return undefined
      return { client_id: url, ...toClientMetadata({ redirectUrl: oauth.redirectUrl() }) }
    },
  }
}

function toOffer(
  { server, tenant }: { server: string; tenant: string },
  { by, signInId }: SignInStarter,
  browser: Caller | undefined,
) {
  const isOwn = signInId !== undefined && signInId === browser?.signInId
  return { server, tenant, who: toSubject(by), isOwn }
}

/** The tenant as a whole has none. */
function toPrincipal(subject: string): Caller['principal'] | undefined {
  const [kind, ...id] = subject.split(':')
  return subject === '' ? undefined : ({ kind, id: id.join(':') } as Caller['principal'])
}

function notConnected(name: string): ToolError {
  return new ToolError('not_found', `Nobody of that name has signed in to ${name}`, {
    fix: `toolcrib mcp connections ${name} lists who has.`,
  })
}

function otherBrowser(): ToolError {
  return new ToolError('sign_in_failed', 'This sign-in was begun in another browser', {
    fix: 'Begin again in this one.',
  })
}

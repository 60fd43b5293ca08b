import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { type SignInStarter, toSubject } from '../../core/gateway/connection-store.ts'
import type { McpServersApi } from '../../core/gateway/mcp-servers-api.ts'
import { toClientMetadata } from '../../gateway/oauth/client-metadata.ts'
import type { OAuthPorts } from '../../gateway/oauth/oauth-ports.ts'
import type { Stores } from '../../features/stores.ts'
import type { McpPort } from '../../features/mcp-servers/parts.ts'
import { toPrincipal, toTarget } from '../../features/mcp-servers/sign-in-target.ts'

type SignInAccess = Pick<McpServersApi, 'findMcpSignIn' | 'finishMcpSignIn' | 'mcpClientMetadata'>

interface SignInParts extends Pick<McpPort, 'servers' | 'gateway' | 'reload'> {
  store: Pick<Stores, 'connections'>
  oauth: OAuthPorts
}

/** The redirect back from an authorization server. */
export function createMcpSignInAccess(parts: SignInParts): SignInAccess {
  const { servers, store, gateway, oauth, reload } = parts

  /** Loaded with the first sign-in: most servers never have one. */
  const loadSignIn = () => import('../../gateway/oauth/sign-in.ts')

  async function open(state: string) {
    const { signInIsOver, startedBy } = await loadSignIn()
    const pending = await store.connections.peek(state)
    const started = pending && startedBy(pending)
    if (pending === undefined || started === undefined) throw signInIsOver()
    return { pending, started }
  }
  return {
    async findMcpSignIn(state, browser) {
      const { pending, started } = await open(state)
      return toOffer(pending, started, browser)
    },
    async finishMcpSignIn(answer, browser) {
      const { started } = await open(answer.state)
      // Checked before it is used up, so that knowing the state alone does not invalidate it.
      if (started.signInId !== undefined && started.signInId !== browser?.signInId) {
        throw otherBrowser()
      }
      const { finishSignIn, signInIsOver } = await loadSignIn()
      const pending = await store.connections.take(answer.state)
      if (pending === undefined) throw signInIsOver()
      const { tenant, server, subject } = pending
      const { spec } = await servers.findUsable({ tenant }, server)
      const wanted = { ...toTarget({ tenant, server, spec, principal: started.by }), subject }
      await finishSignIn(oauth, wanted, { pending, answer })
      // With the tokens its tools can be listed; the user need not wait for that.
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

function otherBrowser(): ToolError {
  return new ToolError('sign_in_failed', 'This sign-in was started in another browser', {
    fix: 'Start again in this one.',
  })
}

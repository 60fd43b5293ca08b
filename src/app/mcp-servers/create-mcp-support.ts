import { ToolError } from '../../core/kernel/errors.ts'
import type { McpServersApi } from '../../core/gateway/mcp-servers-api.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { OAuthPorts } from '../../gateway/oauth/oauth-ports.ts'
import type { GatewayPorts } from '../../gateway/ports.ts'
import { readTokens } from '../../gateway/oauth/token-document.ts'
import { hashDefinition } from '../../gateway/tools/tool-definition.ts'
import { createServerFinder, type ServerFinder } from '../../features/mcp-servers/find-server.ts'
import type { McpPort } from '../../features/mcp-servers/parts.ts'
import type { ServerTerms } from '../../features/mcp-servers/server-rules.ts'
import { toTarget } from '../../features/mcp-servers/sign-in-target.ts'
import type { Parts } from '../parts.ts'
import type { OpenGateway } from '../gateway/open-gateway.ts'
import { createToolSight, isToolOf } from '../gateway/tool-sight.ts'
import { createMcpSignInAccess } from './mcp-sign-in-access.ts'
import { createServerNetworks } from './server-networks.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'

/** Settings of managed MCP servers that the gateway needs, and functions to manage the servers. */
export interface McpSupport {
  ports: Pick<GatewayPorts, 'authFor' | 'dispatcherFor' | 'signIn'> & { terms: ServerTerms }
  servers: ServerFinder
  createPort(opened: Pick<OpenGateway, 'gateway' | 'sync'>): McpPort
  createApi(port: Pick<McpPort, 'gateway' | 'reload'>): McpServersApi
  close(): Promise<void>
}

/** Networks, sign-ins and rules of MCP servers. */
export function createMcpSupport(parts: Parts): McpSupport {
  const { config, store, views, sources } = parts
  const terms = { gateway: config.gateway, isLocal: parts.isLocal }
  const networks = createServerNetworks(config.gateway)
  const servers = createServerFinder({
    declared: config.mcpServers,
    findView: views.find,
    terms,
  })
  const trust: GatewayPorts['dispatcherFor'] = ({ tenant, server }, spec) =>
    networks.dispatcherFor(tenant, trusted(server, spec))
  const trusted = (server: string, spec: McpServerSpec) => trustDeclared(config, server, spec)
  const oauth = createOAuthPorts(parts, async ({ tenant, server }) => {
    const { spec } = await servers.findUsable({ tenant }, server)
    return networks.fetchFor(tenant, trusted(server, spec))
  })
  return {
    ports: { terms, dispatcherFor: trust, ...createSignInPorts(store, oauth) },
    servers,
    createPort({ gateway, sync }) {
      // Even before anybody asks for its tools: servers are connected to with them.
      const wake = (tenant: string) => sources.readyFor(tenant)
      async function reload(tenant: string): Promise<void> {
        await sync(tenant)
        await sources.refresh(tenant)
        await wake(tenant)
      }
      return {
        gateway,
        servers,
        terms,
        signIns: createSignIns(oauth),
        hashDefinition,
        wake,
        reload,
      }
    },
    createApi: ({ gateway, reload }) => ({
      seesMcpServer: createServerSight(parts, servers),
      ...createMcpSignInAccess({ store, servers, gateway, reload, oauth }),
    }),
    close: networks.close,
  }
}

function createSignInPorts(
  { connections, now }: Pick<Parts['store'], 'connections' | 'now'>,
  oauth: OAuthPorts,
): Pick<GatewayPorts, 'authFor' | 'signIn'> {
  return {
    async authFor(request) {
      const { createUpstreamAuth } = await import('../../gateway/oauth/upstream-auth.ts')
      return createUpstreamAuth(oauth, toTarget(request))
    },
    signIn: {
      async begin({ principal, ...request }) {
        const { beginSignIn } = await import('../../gateway/oauth/sign-in.ts')
        const target = toTarget({ ...request, principal })
        return beginSignIn(oauth, target, { by: principal ?? system })
      },
      now,
      async isDone(request, sinceMs) {
        const found = await connections.find(toTarget(request), { kind: 'tokens' })
        return found !== undefined && found.updatedAt >= sinceMs
      },
    },
  }
}

function createSignIns(oauth: OAuthPorts): McpPort['signIns'] {
  return {
    async begin(target, starter) {
      const { beginSignIn } = await import('../../gateway/oauth/sign-in.ts')
      return beginSignIn(oauth, target, starter)
    },
    /** Best effort: the tokens are deleted here, whatever the server answers. */
    async revoke(target, held) {
      const tokens = readTokens(held, target.url)
      if (tokens === undefined) return
      const { revokeTokens } = await import('../../gateway/oauth/revoke-tokens.ts')
      await revokeTokens(oauth, target, tokens).catch(() => false)
    },
  }
}

function createServerSight(parts: Parts, servers: ServerFinder): McpServersApi['seesMcpServer'] {
  const sees = createToolSight(parts)
  return async (caller, name) => {
    // Policy answers for any name, so the existence of the server is checked first.
    const isThere =
      parts.registry.list(caller.tenant).some(({ contract }) => isToolOf(contract, name)) ||
      (await servers.list(caller.tenant)).some((server) => server.name === name)
    return isThere && sees(caller, name)
  }
}

/**
 * Trusts an address from the configuration; a server name alone proves nothing, since anybody can
 * choose it.
 */
function trustDeclared(
  { mcpServers }: Parts['config'],
  server: string,
  spec: McpServerSpec,
): McpServerSpec {
  const declared = Object.hasOwn(mcpServers, server) ? mcpServers[server] : undefined
  const isDeclared = declared?.url !== undefined && declared.url === spec.url
  return isDeclared ? { ...spec, private: spec.private ?? true } : spec
}

const system = { kind: 'system', id: 'gateway' } as const

type FetchOf = (of: SignInServer) => Promise<ReturnType<OAuthPorts['fetchFor']>>

type SignInServer = Parameters<OAuthPorts['fetchFor']>[0]

/** The ports of sign-ins; their requests have the same network rules as the server. */
function createOAuthPorts(parts: Parts, fetchOf: FetchOf): OAuthPorts {
  return {
    connections: parts.store.connections,
    redirectUrl: () => new URL('/oauth/callback', parts.publicUrl()).href,
    clientMetadataUrl() {
      const url = new URL('/oauth/client-metadata.json', parts.publicUrl())
      return url.protocol === 'https:' ? url.href : undefined
    },
    fetchFor: (of) => async (url, init) => (await fetchOf(of))(url, init),
    readValue: (tenant, given) => readValue(parts, tenant, given),
    now: parts.store.now,
  }
}

/** Resolves a named secret or variable; other values are returned unchanged. */
async function readValue({ store, ports }: Parts, tenant: string, given: string): Promise<string> {
  const [, kind, name = ''] = /^(secret|env):([A-Za-z_][A-Za-z0-9_.-]*)$/.exec(given) ?? []
  if (kind === undefined) return given
  const value =
    kind === 'secret'
      ? (await store.secrets.read({ tenant }, [name])).get(name)
      : ownValue(ports.readEnv([name]), name)
  if (value !== undefined && value !== '') return value
  throw new ToolError('secret_missing', `${kind}:${name} is not set`, {
    fix: kind === 'secret' ? `toolcrib secrets set ${name}` : `Set ${name} and start again.`,
  })
}

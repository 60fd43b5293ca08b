import type { Dispatcher } from 'undici'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { NetworkRoute } from '../../core/host/host-network.ts'
import type { OAuthFetch } from '../../gateway/oauth/oauth-ports.ts'
import type { GatewayConfig } from '../../features/mcp-servers/config.ts'
import { openNetwork } from '../../host/network/open-network.ts'

/** Ways to servers over HTTP, each with what it may reach and with connections of its own. */
export interface ServerNetworks {
  dispatcherFor(tenant: string, spec: McpServerSpec): Dispatcher
  fetchFor(tenant: string, spec: McpServerSpec): OAuthFetch
  close(): Promise<void>
}

/** Tenants share no connections, and neither do servers that may be private with those that may not. */
export function createServerNetworks(bounds: GatewayConfig): ServerNetworks {
  const network = openNetwork(bounds)
  function toRoute(tenant: string, spec: McpServerSpec): NetworkRoute {
    const { url = '', private: isPrivate } = spec
    const trusted = isPrivate === true ? [new URL(url)] : []
    return { key: JSON.stringify([tenant, ...trusted.map(({ host }) => host)]), trusted }
  }
  return {
    dispatcherFor: (tenant, spec) => network.dispatcherFor(toRoute(tenant, spec)),
    fetchFor: (tenant, spec) => network.fetchFor(toRoute(tenant, spec)),
    close: network.close,
  }
}

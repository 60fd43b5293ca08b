import type { Dispatcher } from 'undici'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { parseAddressList } from '../../core/net/address-list.ts'
import { toPortRule } from '../../core/net/port-rule.ts'
import { toDialRule } from '../../host/network/dial-rule.ts'
import {
  createGuardedAgent,
  createGuardedFetch,
  type GuardedFetch,
} from '../../host/network/guarded-fetch.ts'
import type { OAuthFetch } from '../../gateway/oauth/oauth-ports.ts'
import type { GatewayConfig } from '../../features/mcp-servers/config.ts'

/** Ways to servers over HTTP, each with what it may reach and with connections of its own. */
export interface ServerNetworks {
  dispatcherFor(tenant: string, spec: McpServerSpec): Dispatcher
  fetchFor(tenant: string, spec: McpServerSpec): OAuthFetch
  close(): Promise<void>
}

interface Network {
  agent: Dispatcher
  guarded: GuardedFetch
}

/** Tenants share no connections, and neither do servers that may be private with those that may not. */
export function createServerNetworks({ addresses, ports }: GatewayConfig): ServerNetworks {
  const allowed = parseAddressList(addresses) ?? (() => false)
  const networks = new Map<string, Network>()

  function open(tenant: string, { url = '', private: isPrivate }: McpServerSpec): Network {
    const trusted = isPrivate === true ? [new URL(url)] : []
    const key = JSON.stringify([tenant, ...trusted.map(({ host }) => host)])
    const known = networks.get(key)
    if (known !== undefined) return known
    const rule = toDialRule({ allowed, trusted, ports: toPortRule(ports) })
    const network = { agent: createGuardedAgent({ rule }), guarded: createGuardedFetch({ rule }) }
    networks.set(key, network)
    return network
  }
  return {
    dispatcherFor: (tenant, spec) => open(tenant, spec).agent,
    fetchFor: (tenant, spec) => (url, init) => open(tenant, spec).guarded.fetch(url, init),
    async close() {
      await Promise.all([...networks.values()].map(end))
      networks.clear()
    },
  }
}

async function end({ agent, guarded }: Network): Promise<void> {
  await Promise.all([agent.destroy(), guarded.close()])
}

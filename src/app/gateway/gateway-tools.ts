import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'
import type { SourceChanged, ToolSource } from '../../core/sources/tool-source.ts'
import type { Gateway, ServerOwner } from '../../core/gateway/gateway.ts'

export const everyone: ServerOwner = { tenant: defaultTenant, isForEveryone: true }

interface GatewayToolsOptions {
  gateway: Pick<Gateway, 'toolsOf' | 'setServers'>
  /** The servers that a tenant has for itself. */
  serversOf(view: TenantView): Readonly<Record<string, McpServerSpec>>
}

/** The tools of MCP servers: shared ones, and those of servers that a tenant added. */
export function createGatewayTools({ gateway, serversOf }: GatewayToolsOptions) {
  const served = new Set<string>()
  let changed: SourceChanged = async () => []
  const source: ToolSource = {
    name: 'gateway',
    isYielding: true,
    watch: (given) => void (changed = given),
    async toolsFor(owner) {
      if (owner === 'everyone') return gateway.toolsOf(everyone)
      const own = { tenant: owner.tenant.slug, isForEveryone: false }
      const servers = serversOf(owner)
      if (Object.keys(servers).length > 0) served.add(own.tenant)
      gateway.setServers(own, servers)
      return gateway.toolsOf(own)
    },
  }
  return {
    source,
    /** Tenants that have servers of their own. */
    served,
    changed: () => changed(),
  }
}

import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { ServerSettings } from '../../core/gateway/gateway.ts'
import { isPerTenant } from '../../core/gateway/given-names.ts'
import type { Config } from '../config/config-schema.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'
import { readServers } from '../../features/mcp-servers/read-servers.ts'
import { readKept } from '../../features/mcp-servers/secret-use.ts'
import type { ServerTerms } from '../../features/mcp-servers/server-rules.ts'

export type Servers = Record<string, ServerSettings>

/**
 * The configured servers that are the same for everybody: one process or connection for all
 * tenants.
 */
export function everyonesServers({ mcpServers }: Config): Servers {
  return pick(mcpServers, (spec) => !isPerTenant(spec))
}

/**
 * The servers of one tenant: its own, and shared ones that are reached with its secrets. If both
 * have a name, the shared server wins.
 */
export function serversOf(
  view: TenantView,
  { mcpServers }: Config,
  { terms, onWarning }: { terms: ServerTerms; onWarning: (message: string) => void },
): Servers {
  const { tenant } = view
  if (tenant.status !== 'active') return {}
  const own: Servers = {}
  for (const { rule, spec, closed } of readServers(view, terms)) {
    const { restartedAt } = readKept(rule.body)
    if (spec !== undefined) own[rule.name] = { ...spec, ...(restartedAt && { restartedAt }) }
    else onWarning(`The MCP server ${rule.name} of ${tenant.slug} is left out: ${closed}`)
  }
  const isFree = (_spec: McpServerSpec, name: string) => !Object.hasOwn(mcpServers, name)
  return { ...pick(own, isFree), ...pick(mcpServers, isPerTenant) }
}

function pick(servers: Servers, test: (spec: McpServerSpec, name: string) => boolean): Servers {
  return Object.fromEntries(Object.entries(servers).filter(([name, spec]) => test(spec, name)))
}

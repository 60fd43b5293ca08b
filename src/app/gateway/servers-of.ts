import { type McpServerSpec, mcpServerSchema } from '../../core/gateway/server-spec.ts'
import { isPerTenant } from '../../gateway/servers/given-values.ts'
import type { Config } from '../config-schema.ts'
import type { TenantView } from '../governance/tenant-views.ts'

export type Servers = Record<string, McpServerSpec>

/** The configured servers that are the same for everybody: one process or connection for all tenants. */
export function everyonesServers({ mcpServers }: Config): Servers {
  return pick(mcpServers, (spec) => !isPerTenant(spec))
}

/**
 * What a tenant has for itself: the servers it brought in, and those of everybody that are reached
 * with its own secrets. A name that everybody's servers have is theirs.
 */
export function serversOf(
  { tenant, rules }: TenantView,
  { mcpServers }: Config,
  onWarning: (message: string) => void,
): Servers {
  if (tenant.status !== 'active') return {}
  const own: Servers = {}
  for (const { name, body } of rules.get('mcp-server') ?? []) {
    const spec = mcpServerSchema.safeParse(body).data
    if (spec !== undefined) own[name] = spec
    else onWarning(`The MCP server ${name} of ${tenant.slug} can not be read and is left out`)
  }
  const isFree = (_spec: McpServerSpec, name: string) => !Object.hasOwn(mcpServers, name)
  return { ...pick(own, isFree), ...pick(mcpServers, isPerTenant) }
}

function pick(servers: Servers, test: (spec: McpServerSpec, name: string) => boolean): Servers {
  return Object.fromEntries(Object.entries(servers).filter(([name, spec]) => test(spec, name)))
}

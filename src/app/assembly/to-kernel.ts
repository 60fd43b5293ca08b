import { isOpen } from '../governance/tenant-gate.ts'
import { createPrincipalFinder } from '../governance/principal-finder.ts'
import type { Kernel } from '../../features/feature.ts'
import type { LoadedTools } from './load-tools.ts'
import type { McpServers } from '../mcp-servers/open-mcp-servers.ts'
import { openApiReader } from '../apis/open-api-reader.ts'
import { tenantsOf } from '../governance/declared.ts'
import type { Parts } from '../parts.ts'
import { version } from '../version.ts'

interface KernelOptions {
  agents: Kernel['agents']
  tools: LoadedTools
  servers: McpServers
  data: string
  /** Overrides the current time in tests. */
  now?: () => number
}

/** The parts that features have access to. */
export function toKernel(
  parts: Parts,
  { agents, tools, servers, data, now = parts.store.now }: KernelOptions,
): Omit<Kernel, 'dropAgent'> {
  const { store, views, authorities } = parts
  return {
    ...parts,
    config: { ...parts.config, apiTenants: apiTenantsOf(parts.config) },
    apiReader: openApiReader(),
    engine: store.engine,
    now,
    data,
    version,
    agents,
    mcp: servers.port,
    fileProblems: tools.loader.problems,
    call: parts.calls.call,
    rouse: parts.work.rouse,
    scopeFor: parts.scopes.scopeFor,
    findPrincipal: createPrincipalFinder(parts),
    isTenantOpen: (slug) => isOpen(views, slug),
    async keyPermissions(tenant, id) {
      const key = await store.keys.find(tenant, id)
      const authority = key && (await authorities.ofKey(key))
      return authority?.isOver === undefined ? authority?.permissions : undefined
    },
  }
}

function apiTenantsOf(config: Parts['config']): string[] {
  const declaring = tenantsOf(config).filter(({ apis }) => Object.keys(apis).length > 0)
  return declaring.map(({ slug }) => slug)
}

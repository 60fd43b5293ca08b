import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'
import { isPerTenant } from '../../core/gateway/given-names.ts'
import { readServers } from './read-servers.ts'
import type { ServerTerms } from './server-rules.ts'

/** A server available to a tenant: its own or a shared one. */
export interface KnownMcpServer {
  name: string
  /** The owner of its pins: the default tenant if one connection serves all tenants. */
  owner: string
  isForEveryone: boolean
  isDeclared: boolean
  spec?: McpServerSpec
  closed?: string
  rule?: Rule
}

export interface ServerFinder {
  /** By name. A shared server wins. */
  list(tenant: string): Promise<KnownMcpServer[]>
  /** Missing servers and those of other tenants get the same answer. */
  find(caller: Pick<Caller, 'tenant'>, name: string): Promise<KnownMcpServer>
  /** The same, for a server that must be in use. */
  findUsable(
    caller: Pick<Caller, 'tenant'>,
    name: string,
  ): Promise<KnownMcpServer & { spec: McpServerSpec }>
}

/** MCP servers of the configuration, by name. Every tenant has them. */
export type DeclaredServers = Readonly<Record<string, McpServerSpec>>

interface FinderOptions {
  /** The shared servers, by name. */
  declared: DeclaredServers
  findView(tenant: string): Promise<TenantView | undefined>
  terms: ServerTerms
}

/** Finds servers for callers. */
export function createServerFinder({ declared, findView, terms }: FinderOptions): ServerFinder {
  const everyones = (tenant: string) =>
    Object.entries(declared).map(([name, spec]): KnownMcpServer => {
      const owner = isPerTenant(spec) ? tenant : defaultTenant
      return { name, owner, isForEveryone: true, isDeclared: true, spec }
    })
  async function list(tenant: string): Promise<KnownMcpServer[]> {
    const own = readServers(await findView(tenant), terms)
      .filter(({ rule }) => !Object.hasOwn(declared, rule.name))
      .map(({ rule, spec, closed }) => {
        const { name, isDeclared } = rule
        return { name, owner: tenant, isForEveryone: false, isDeclared, spec, closed, rule }
      })
    return [...everyones(tenant), ...own].sort((left, right) => (left.name < right.name ? -1 : 1))
  }
  async function find({ tenant }: Pick<Caller, 'tenant'>, name: string): Promise<KnownMcpServer> {
    const found = (await list(tenant)).find((server) => server.name === name)
    if (found === undefined) throw serverNotFound(name)
    return found
  }
  return {
    list,
    find,
    async findUsable(caller, name) {
      const { spec, ...found } = await find(caller, name)
      if (spec !== undefined) return { ...found, spec }
      throw new ToolError('conflict', `The MCP server ${name} is closed: ${found.closed}`, {
        fix: 'Remove it and add it again, or ask the operator of this installation.',
      })
    },
  }
}

export function serverNotFound(name: string): ToolError {
  return new ToolError(
    'not_found',
    `There is no MCP server ${JSON.stringify(name.slice(0, 100))}`,
    {
      fix: 'toolcrib mcp list shows the servers.',
    },
  )
}

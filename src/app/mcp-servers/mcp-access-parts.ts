import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Store } from '../../core/ports.ts'
import type { RuleDraft } from '../../core/rules/rule-store.ts'
import { serverNameSchema } from '../../core/gateway/server-spec.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { requireOneOf } from '../../core/operations/require-permission.ts'
import type { Config } from '../config/config-schema.ts'
import type { ToolSight } from '../gateway/tool-sight.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import type { KnownMcpServer, ServerFinder } from './find-server.ts'
import type { ServerTerms } from '../gateway/server-rules.ts'

/** What managing servers needs. */
export interface McpAccessParts {
  config: Pick<Config, 'mcpServers'>
  store: Pick<Store, 'rules' | 'connections' | 'gateway' | 'events'>
  views: TenantViews
  gateway: Gateway
  servers: ServerFinder
  terms: ServerTerms
  /** Is there a tool whose name begins so, and may the caller use one? */
  tools: { has(tenant: string, server: string): boolean; sees: ToolSight }
  /** What the store knows of a tenant's servers is read, and they are connected to, where nobody has asked for them yet. */
  wake(tenant: string): Promise<void>
  /** The tools of a tenant are looked at again. */
  reload(tenant: string): Promise<void>
}

/** Changes rules of a tenant; once it resolves, its servers and tools follow. */
export async function changeRules<T>(
  parts: McpAccessParts,
  { tenant, principal }: Pick<Caller, 'tenant' | 'principal'>,
  work: (draft: RuleDraft) => Promise<T>,
): Promise<T> {
  const result = await parts.store.rules.change(tenant, principal, work)
  await follow(parts, tenant)
  return result
}

/** Rules of a tenant were changed; once it resolves, its servers and tools have followed. */
export async function follow({ views, reload }: McpAccessParts, tenant: string): Promise<void> {
  await views.refresh()
  await reload(tenant)
}

/** Throws forbidden for who may not look at servers. */
export function requireReader(caller: Caller): void {
  requireOneOf(caller, ['mcp.manage', 'tools.approve', 'policy.read'])
}

/** A server of the tenant that may be changed here. */
export async function findOwn(
  caller: Caller,
  name: string,
  servers: ServerFinder,
): Promise<KnownMcpServer> {
  const known = await servers.find(caller, name)
  if (!known.isDeclared) return known
  throw new ToolError('conflict', `The MCP server ${name} is declared in the configuration`, {
    fix: 'Change it there and start again.',
  })
}

/** What concerns everybody's servers is done in the default tenant, for all. */
export function assertOwner({ tenant }: Caller, { name, owner }: KnownMcpServer): void {
  if (tenant === owner) return
  throw new ToolError('forbidden', `The MCP server ${name} is everybody's`, {
    fix: `Whoever may in the tenant ${owner} does that.`,
  })
}

/** Throws for what is no name, and for those of configuration. */
export function checkName(name: string, { config }: Pick<McpAccessParts, 'config'>): void {
  if (!serverNameSchema.safeParse(name).success) {
    throw new ToolError('invalid_request', `${JSON.stringify(name.slice(0, 100))} is no name`, {
      fix: 'A name has lower case letters, digits, dashes and underscores, at most 63.',
    })
  }
  if (Object.hasOwn(config.mcpServers, name)) throw taken(name)
}

/** The refusal of a name that is in use. */
export function taken(name: string): ToolError {
  return new ToolError('conflict', `There is an MCP server ${name} already`, {
    fix: `Choose another name, or change it: toolcrib mcp edit ${name} …`,
  })
}

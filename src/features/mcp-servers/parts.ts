import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type {
  Credential,
  SignInStarter,
  SignInTarget,
  StartedSignIn,
} from '../../core/gateway/connection-store.ts'
import type { Gateway } from '../../core/gateway/gateway.ts'
import { serverNameSchema } from '../../core/gateway/server-spec.ts'
import type { ListedDefinition } from '../../core/gateway/tool-definition.ts'
import type { Stores } from '../stores.ts'
import type { RuleDraft } from '../../core/rules/rule-store.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { DeclaredServers, KnownMcpServer, ServerFinder } from './find-server.ts'
import type { ServerTerms } from './server-rules.ts'
import type { TestPermits } from './try-server.ts'

/** The gateway, with the functions that managing its servers needs. */
export interface McpPort {
  gateway: Gateway
  servers: ServerFinder
  terms: ServerTerms
  signIns: {
    begin(target: SignInTarget, starter: SignInStarter): Promise<StartedSignIn>
    /** Revokes tokens at the issuer, if it supports that. */
    revoke(target: SignInTarget, held: Credential | undefined): Promise<void>
  }
  /** Equal for definitions that differ only in the order of keys. */
  hashDefinition(definition: ListedDefinition): string
  /** Loads the known servers of a tenant and connects to them, if nobody has requested them yet. */
  wake(tenant: string): Promise<void>
  /** Reloads the tools of a tenant. */
  reload(tenant: string): Promise<void>
}

/** The dependencies of the operations on MCP servers. */
export interface McpServerParts extends McpPort {
  declared: DeclaredServers
  store: Pick<Stores, 'rules' | 'connections' | 'gateway' | 'events'>
  rules: Pick<TenantRules, 'refresh'>
  testPermits: TestPermits
  /** Restarts under way, by tenant and server. */
  restarts: Map<string, ReturnType<Gateway['refresh']>>
}

/** Changes rules of a tenant. Once it resolves, servers and tools are up to date. */
export async function changeRules<T>(
  parts: McpServerParts,
  { tenant, principal }: Pick<Caller, 'tenant' | 'principal'>,
  work: (draft: RuleDraft) => Promise<T>,
): Promise<T> {
  const result = await parts.store.rules.change(tenant, principal, work)
  await follow(parts, tenant)
  return result
}

/** Rules of a tenant were changed. Once it resolves, servers and tools are up to date. */
export async function follow({ rules, reload }: McpServerParts, tenant: string): Promise<void> {
  await rules.refresh()
  await reload(tenant)
}

/** A server of the tenant, if it may be changed here. */
export async function findOwn(
  caller: Caller,
  name: string,
  servers: ServerFinder,
): Promise<KnownMcpServer> {
  const known = await servers.find(caller, name)
  if (!known.isDeclared) return known
  throw new ToolError('conflict', `The MCP server ${name} is declared in the configuration`, {
    fix: 'Change it there and restart.',
  })
}

/** Shared servers are managed in the default tenant, for all tenants. */
export function assertOwner({ tenant }: Caller, { name, owner }: KnownMcpServer): void {
  if (tenant === owner) return
  throw new ToolError('forbidden', `The MCP server ${name} is shared by all tenants`, {
    fix: `Someone with the permission in the tenant ${owner} can do that.`,
  })
}

/** Throws for invalid names, and for those in the configuration. */
export function checkName(name: string, declared: DeclaredServers): void {
  if (!serverNameSchema.safeParse(name).success) {
    throw new ToolError('invalid_request', `${JSON.stringify(name.slice(0, 100))} is no name`, {
      fix: 'A name has at most 63 lower case letters, digits, dashes and underscores.',
    })
  }
  if (Object.hasOwn(declared, name)) throw taken(name)
}

/** The refusal of a name that is in use. */
export function taken(name: string): ToolError {
  return new ToolError('conflict', `There is an MCP server ${name} already`, {
    fix: `Choose another name, or change it: toolcrib mcp edit ${name} …`,
  })
}

import type { Caller } from '../core/call.ts'
import { checkApprovalSettings } from '../core/approvals/approval-terms.ts'
import { ToolError } from '../core/errors.ts'
import { toAgentPolicy } from '../core/policy/agent-policy.ts'
import type { Vocabulary } from '../core/policy/level.ts'
import { toPolicyLevel } from '../core/policy/policy-level.ts'
import type { AgentPolicy, PackSwitch, PolicyLevel, Scope } from '../core/policy/scope.ts'
import { defineVocabulary, toVocabulary } from '../core/policy/vocabulary.ts'
import type { Registry } from '../core/registry.ts'
import type { AgentConfig, Config } from './config-schema.ts'
import type { SecretNames } from './secret-names.ts'

/** The tenant that is always there. */
export const defaultTenant = 'default'

/** Gathers what decides for a caller. The same Scope object while nothing has changed. */
export interface ScopeSource {
  scopeFor(caller: Caller): Scope
  /** Forgets what was gathered, after a change of secrets, packs or policy. */
  invalidate(): void
  tenants(): TenantConfig[]
  /** Reads the configured policies; throws for one that names what is not there. After the tools are loaded: packs make groups. */
  readPolicies(): void
}

export interface TenantConfig {
  slug: string
  name: string
  agents: readonly AgentConfig[]
  policy: Config['policy']
  packs: Readonly<Record<string, boolean>>
}

export interface ScopeSourceOptions {
  config: Config
  registry: Registry
  secretNames: SecretNames
  env: Readonly<Record<string, string | undefined>>
}

/** Callers differ in few ways, but a hostile one must not fill the memory with scopes. */
const cacheLimit = 2000

export function createScopeSource(options: ScopeSourceOptions): ScopeSource {
  const { config, registry, secretNames } = options
  const tenants = new Map(tenantsOf(config).map((tenant) => [tenant.slug, tenant]))
  const env = new Set(Object.keys(options.env).filter((name) => options.env[name]))
  let vocabulary: Vocabulary | undefined
  let scopes = new Map<string, Scope>()

  let policies = new Map<string, TenantPolicies>()
  const additions = () => ({
    profiles: config.profiles,
    groups: config.groups,
    packs: registry.packs(),
  })

  function build(caller: Caller): Scope {
    // Not checked again: a pack that a reload took away must not stop every call.
    vocabulary ??= toVocabulary(additions())
    const tenant = tenants.get(caller.tenant)
    const policy = policies.get(caller.tenant)
    return {
      tenant: caller.tenant,
      isKnownTenant: tenant !== undefined,
      runtime: caller.runtime,
      agent: caller.agent === undefined ? undefined : findAgent(policy, caller.agent),
      parents: (caller.parents ?? []).map((slug) => findAgent(policy, slug)),
      levels: policy?.levels ?? [],
      packs: packsOf(config, tenant),
      permissions: caller.permissions,
      secrets: secretNames.namesFor(caller.tenant, caller.agent),
      env,
      ...vocabulary,
    }
  }
  return {
    scopeFor(caller) {
      const key = keyOf(caller)
      const known = scopes.get(key)
      if (known !== undefined) return known
      if (scopes.size >= cacheLimit) scopes = new Map()
      const scope = build(caller)
      scopes.set(key, scope)
      return scope
    },
    invalidate() {
      vocabulary = undefined
      scopes = new Map()
    },
    tenants: () => [...tenants.values()],
    readPolicies() {
      const words = defineVocabulary(additions())
      checkApprovalSettings(config.approvals, {
        groups: words.groups,
        agents: new Set([...tenants.values()].flatMap(({ agents }) => agents.map((a) => a.slug))),
      })
      policies = new Map(
        [...tenants.values()].map((tenant) => [tenant.slug, toPolicies(tenant, config, words)]),
      )
      scopes = new Map()
    },
  }
}

function keyOf(caller: Caller): string {
  const { tenant, runtime, agent = '', parents, permissions } = caller
  // A line feed stands in no slug and no permission, so no two callers share a key by accident.
  return [tenant, runtime, agent, parents?.join(' ') ?? '', ...permissions].join('\n')
}

function tenantsOf(config: Config): TenantConfig[] {
  const own = {
    slug: defaultTenant,
    name: 'Default',
    agents: config.agents,
    policy: undefined,
    packs: {},
  }
  const others = config.tenants.map((tenant) => ({
    ...tenant,
    name: tenant.name ?? tenant.slug,
    policy: tenant.policy,
  }))
  const repeated = others.find(
    (tenant, at) => others.findIndex((other) => other.slug === tenant.slug) !== at,
  )
  if (repeated !== undefined || others.some((tenant) => tenant.slug === defaultTenant)) {
    throw new ToolError(
      'invalid_config',
      `Two tenants are called ${repeated?.slug ?? defaultTenant}`,
    )
  }
  return [own, ...others]
}

interface TenantPolicies {
  agents: ReadonlyMap<string, AgentPolicy>
  levels: readonly PolicyLevel[]
}

/** Everything that can be wrong with configured policy is said at the start, not at the first call. */
function toPolicies(tenant: TenantConfig, config: Config, words: Vocabulary): TenantPolicies {
  const levels: PolicyLevel[] = []
  if (config.policy !== undefined) levels.push(toPolicyLevel('global', config.policy, words))
  if (tenant.policy !== undefined) levels.push(toPolicyLevel('tenant', tenant.policy, words))
  return {
    levels,
    agents: new Map(tenant.agents.map((agent) => [agent.slug, toAgentPolicy(agent, words)])),
  }
}

function findAgent(policies: TenantPolicies | undefined, slug: string): AgentPolicy {
  const agent = policies?.agents.get(slug)
  if (agent !== undefined) return agent
  throw new ToolError(
    'not_found',
    `There is no agent ${JSON.stringify(slug.slice(0, 100))} in this tenant`,
    {
      fix: 'Declare it under agents in the configuration.',
    },
  )
}

function packsOf(config: Config, tenant: TenantConfig | undefined): Record<string, PackSwitch> {
  const names = new Set([...Object.keys(config.packs), ...Object.keys(tenant?.packs ?? {})])
  return Object.fromEntries(
    [...names].map((name) => [name, { everyone: config.packs[name], tenant: tenant?.packs[name] }]),
  )
}

import type { NamedTool } from '../../core/patterns/patterns.ts'
import { toVocabulary } from '../../core/policy/vocabulary.ts'
import type { Registry } from '../../core/registry.ts'
import type { LevelSpec } from '../../core/rules/rule-schemas.ts'
import { findSettingIssues } from '../../features/agents/check-agent.ts'
import type { AgentConfig, Config } from '../config/config-schema.ts'
import type { NamedLimit } from '../../features/limits/schemas.ts'
import { type DeclaredTenant, tenantsOf } from './declared.ts'
import { findIdlePatterns, type WrittenPatterns } from '../../core/policy/idle-patterns.ts'
import { type TenantTools, toolsOf } from '../../core/rules/tools-of.ts'

interface Surroundings {
  tools: TenantTools
  packs: ReturnType<Registry['packs']>
  /** Agents of a tenant that can be asked, by slug: they are its tools, and no registry holds them. */
  askable(tenant: DeclaredTenant): readonly string[]
}

/** Rules of the configuration that name no tool: nothing stops because of them, and nothing happens by them. */
export function findRuleSlips(config: Config, { tools, packs, askable }: Surroundings): string[] {
  const { groups } = toVocabulary({ profiles: config.profiles, groups: config.groups, packs })
  const tenants = tenantsOf(config)
  const withoutLater = createFilter(config, tenants)
  const asked = new Map(tenants.map((tenant) => [tenant, askable(tenant)]))
  const everywhere = [...contractsOf(tools), ...[...asked.values()].flat().map(toAgentTool)]
  const slips = findIdlePatterns(withoutLater(globalPatterns(config)), {
    groups,
    tools: everywhere,
  })
  for (const tenant of tenants) {
    const own = toolsOf(tools, tenant.slug)
    const agents = asked.get(tenant) ?? []
    const known = [...contractsOf(own), ...agents.map(toAgentTool)]
    slips.push(
      ...tenant.agents.flatMap((agent) => findOddSettings(agent, own, agents)),
      ...findIdlePatterns(withoutLater(patternsOf(tenant)), { groups, tools: known }),
    )
  }
  return slips
}

/** Of configured agents: the ones that can be asked. */
export function declaredAskable({ agents }: DeclaredTenant): string[] {
  return agents.flatMap(({ slug, description }) => (description === undefined ? [] : [slug]))
}

function contractsOf(tools: TenantTools): NamedTool[] {
  return tools.list().map(({ contract }) => contract)
}

function toAgentTool(slug: string): NamedTool {
  return { name: `agent:${slug}`, pack: 'agent' }
}

function globalPatterns(config: Config): WrittenPatterns[] {
  const { groups, profiles, providers, policy, limits, approvals, labels } = config
  return [
    ...Object.entries(groups).map(([name, patterns]) => ({ where: `Group ${name}:`, patterns })),
    ...Object.entries(profiles).flatMap(([name, level]) =>
      levelPatterns(`Profile ${name}:`, level),
    ),
    ...levelPatterns('Policy:', policy),
    ...Object.entries(providers).flatMap(([name, level]) =>
      levelPatterns(`Provider ${name}:`, level),
    ),
    ...limits.rules.flatMap(limitPatterns),
    ...approvals.rules.map(({ tools }) => ({ where: 'Approval rule: tools', patterns: tools })),
    { where: 'Labels:', patterns: Object.keys(labels) },
  ]
}

function patternsOf({ slug, policy, limits, agents }: DeclaredTenant): WrittenPatterns[] {
  return [
    ...levelPatterns(`Tenant ${slug}: policy`, policy),
    ...limits.flatMap(limitPatterns),
    ...agents.flatMap(agentPatterns),
  ]
}

function levelPatterns(where: string, level: Partial<LevelSpec> | undefined): WrittenPatterns[] {
  const { allow = [], deny = [] } = level ?? {}
  return [
    { where: `${where} allow`, patterns: allow },
    { where: `${where} deny`, patterns: deny },
  ]
}

function limitPatterns({ name, of: kind, match, tools = [] }: NamedLimit): WrittenPatterns[] {
  const matched = kind === 'tool' && match !== undefined ? [match] : []
  return [
    { where: `Limit ${name}: match`, patterns: matched },
    { where: `Limit ${name}: tools`, patterns: tools },
  ]
}

function agentPatterns({ slug, tools, hooks }: AgentConfig): WrittenPatterns[] {
  return [
    ...levelPatterns(`Agent ${slug}:`, tools),
    ...Object.entries(hooks).map(([hook, patterns]) => ({
      where: `Agent ${slug}: hooks.${hook}`,
      patterns,
    })),
  ]
}

/** Tools of MCP servers come when these are connected. Groups are looked at where they are written. */
const fitsLater = /^(?:group:|pack:mcp-|mcp:)/
/** The same, and what begins so generally that it may be meant for tools of MCP servers. */
const mayFitLater = /^(?:group:|pack:mcp-|mcp:|(?:m(?:cp?)?)?\*)/

function createFilter(config: Config, tenants: readonly DeclaredTenant[]) {
  const servers = [config, ...tenants].flatMap(({ mcpServers }) => Object.keys(mcpServers))
  const later = servers.length > 0 ? mayFitLater : fitsLater
  return (lists: readonly WrittenPatterns[]): WrittenPatterns[] =>
    lists.map(({ where, patterns }) => ({
      where,
      patterns: patterns.filter((pattern) => !later.test(pattern)),
    }))
}

function findOddSettings(
  agent: AgentConfig,
  tools: TenantTools,
  askable: readonly string[],
): string[] {
  const asked = new Set(askable.map((slug) => `agent:${slug}`))
  const others = Object.entries(agent.settings).filter(([name]) => !asked.has(name))
  const issues = findSettingIssues({ ...agent, settings: Object.fromEntries(others) }, tools)
  return issues.map(({ message }) => `Agent ${agent.slug}: ${message}`)
}

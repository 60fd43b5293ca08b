import path from 'node:path'
import { checkApprovalSettings } from '../../core/approvals/approval-terms.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import { toAgentPolicy } from '../../core/policy/agent-policy.ts'
import { compilePattern } from '../../core/patterns/patterns.ts'
import { toPolicyLevel } from '../../core/policy/policy-level.ts'
import { defineVocabulary } from '../../core/policy/vocabulary.ts'
import type { Stores } from '../../features/stores.ts'
import type { Registry } from '../../core/registry.ts'
import type { Rule, RuleDraft, RuleKind } from '../../core/rules/rule-store.ts'
import type { AgentConfig, Config } from '../config/config-schema.ts'
import type { NamedLimit } from '../../features/limits/schemas.ts'
import type { NamedNetworkRule } from '../../features/network/schemas.ts'
import { findMisplaced } from '../../features/mcp-servers/misplaced-secret.ts'
import { checkDeclaredLimits } from './declared-limits.ts'
import { forgetSkills } from '../../features/skills/enable-skill.ts'
import { defaultTenant } from './scope-source.ts'

/** A tenant as configuration declares it. */
export interface DeclaredTenant {
  slug: string
  name: string
  agents: readonly AgentConfig[]
  policy: Config['policy']
  packs: Readonly<Record<string, boolean>>
  limits: readonly NamedLimit[]
  network: readonly NamedNetworkRule[]
  /** Folders, as configured. */
  skills: readonly string[]
  mcpServers: Config['mcpServers']
  apis: Config['apis']
}

/** The tenants of a configuration, the default one first. */
export function tenantsOf(config: Config): DeclaredTenant[] {
  const { agents, skills, apis } = config
  // Rules at the top level apply to everybody and need no row.
  const nothing = { policy: undefined, packs: {}, limits: [], mcpServers: {} }
  const network = config.network.rules
  const top = { agents, skills, apis, network }
  const own = { slug: defaultTenant, name: 'Default', ...top, ...nothing }
  const others = config.tenants.map((tenant) => ({
    ...tenant,
    name: tenant.name ?? tenant.slug,
    policy: tenant.policy,
  }))
  const slugs = [defaultTenant, ...others.map(({ slug }) => slug)]
  const repeated = slugs.find((slug, at) => slugs.indexOf(slug) !== at)
  if (repeated !== undefined) {
    throw new ToolError('invalid_config', `Two tenants are called ${repeated}`)
  }
  return [own, ...others]
}

/** All errors in configured policy are reported at the start, not at the first call. */
export function checkDeclared(config: Config, packs: ReturnType<Registry['packs']>): void {
  const words = defineVocabulary({ profiles: config.profiles, groups: config.groups, packs })
  const tenants = tenantsOf(config)
  const agents = new Set(tenants.flatMap((tenant) => tenant.agents.map(({ slug }) => slug)))
  checkApprovalSettings(config.approvals, { groups: words.groups, agents })
  if (config.policy !== undefined) toPolicyLevel('global', config.policy, words)
  for (const pattern of Object.keys(config.labels)) compilePattern(pattern, words.groups)
  for (const [provider, level] of Object.entries(config.providers)) {
    toPolicyLevel(`provider ${provider}`, level, words)
  }
  for (const tenant of tenants) {
    if (tenant.policy !== undefined) toPolicyLevel('tenant', tenant.policy, words)
    for (const agent of tenant.agents) toAgentPolicy(agent, words)
    checkDeclaredLimits([...config.limits.rules, ...tenant.limits], words.groups)
    checkDeclaredServers({ ...config.mcpServers, ...tenant.mcpServers })
  }
}

/**
 * A reference elsewhere would not be resolved, and would reach the program or the log as plain
 * text.
 */
function checkDeclaredServers(servers: Config['mcpServers']): void {
  for (const [name, spec] of Object.entries(servers)) {
    const misplaced = findMisplaced(spec)
    if (misplaced === undefined) continue
    const message = `The MCP server ${name} names a secret in ${misplaced.path.slice(1)}`
    throw new ToolError('invalid_config', message, {
      fix: 'Secrets are looked up in env and headers only: write secret:<name> there.',
    })
  }
}

/**
 * Writes what configuration declares to the store, so that every node and every door sees it.
 * Entries that are no longer declared are removed; entries made by people are kept, unless they are
 * now declared. Relative paths start at `base`.
 */
export async function syncDeclared(
  config: Config,
  { tenants, rules, members }: Pick<Stores, 'tenants' | 'rules' | 'members'>,
  base = '.',
): Promise<void> {
  const declared = tenantsOf(config)
  await tenants.sync(declared.map(({ slug, name }) => ({ slug, name })))
  await members.ensureOwner(defaultTenant)
  for (const tenant of declared) {
    await rules.change(tenant.slug, by, (draft) => syncTenant(draft, tenant, base))
  }
}

const by = { kind: 'system', id: 'configuration' } as const

async function syncTenant(draft: RuleDraft, tenant: DeclaredTenant, base: string): Promise<void> {
  const agents = tenant.agents.map(({ skills: _skills, ...agent }): Entry => [
    agent.slug,
    structuredClone(agent),
  ])
  await syncKind(draft, 'agent', agents)
  const policy: Entry[] =
    tenant.policy === undefined ? [] : [['tenant', structuredClone(tenant.policy)]]
  await syncKind(draft, 'policy', policy)
  const packs = Object.entries(tenant.packs).map(([name, isOn]): Entry => [name, { isOn }])
  await syncKind(draft, 'pack', packs)
  const limits = tenant.limits.map(({ name, ...spec }): Entry => [name, structuredClone(spec)])
  await syncKind(draft, 'limit', limits)
  const network = tenant.network.map(({ id, ...spec }): Entry => [id, structuredClone(spec)])
  await syncKind(draft, 'network', network)
  const servers = Object.entries(tenant.mcpServers).map(([name, spec]): Entry => [
    name,
    // The author of the configuration chose its host, so private addresses are allowed.
    structuredClone({ ...spec, private: spec.private ?? true }),
  ])
  await syncKind(draft, 'mcp-server', servers)
  await syncApis(draft, tenant.apis, base)
}

/** The address that a document has named once stays: credentials go nowhere else after a restart. */
async function syncApis(draft: RuleDraft, apis: Config['apis'], base: string): Promise<void> {
  const stored = new Map((await draft.list('api')).map((rule) => [rule.name, rule]))
  const entries = Object.entries(apis).map(([name, { file, ...spec }]): Entry => {
    const before = stored.get(name)
    const known = before?.isDeclared === true ? (before.body as Partial<typeof spec>) : undefined
    const isSame = known?.url === spec.url
    const server = spec.server ?? (isSame ? known?.server : undefined)
    const fullPath = file === undefined ? undefined : path.resolve(base, file)
    // The author of the configuration chose its host, so private addresses are allowed.
    const body = { ...spec, server, file: fullPath, private: spec.private ?? true }
    return [name, JSON.parse(JSON.stringify(body)) as JsonValue]
  })
  await syncKind(draft, 'api', entries)
}

type Entry = [name: string, body: JsonValue]
type DeclaredKind = 'agent' | 'policy' | 'pack' | 'limit' | 'network' | 'mcp-server' | 'api'

async function syncKind(
  draft: RuleDraft,
  kind: RuleKind & DeclaredKind,
  entries: readonly Entry[],
): Promise<void> {
  const stored = new Map((await draft.list(kind)).map((rule) => [rule.name, rule]))
  for (const [name, body] of entries) {
    const known = stored.get(name)
    if (known !== undefined && isSame(known, body)) continue
    await draft.put(kind, name, { body, isDeclared: true })
    const change = known === undefined ? 'created' : 'changed'
    tellOf(draft, kind, { name, change, before: known?.body ?? null, after: body })
  }
  for (const rule of stored.values()) {
    if (!rule.isDeclared || entries.some(([name]) => name === rule.name)) continue
    await draft.delete(kind, rule.name)
    await deleteBelow(draft, kind, rule.name)
    tellOf(draft, kind, { name: rule.name, change: 'deleted', before: rule.body })
  }
}

/** Rules that belong to a declared one. */
async function deleteBelow(draft: RuleDraft, kind: DeclaredKind, name: string): Promise<void> {
  if (kind === 'agent') await draft.delete('grants', name)
  if (kind === 'agent') await forgetSkills(draft, name)
  if (kind === 'api') await draft.delete('api-tools', name)
}

function isSame(rule: Rule, body: JsonValue): boolean {
  return rule.isDeclared && canonicalJson(rule.body) === canonicalJson(body)
}

interface DeclaredChange {
  name: string
  change: 'created' | 'changed' | 'deleted'
  before: JsonValue
  after?: JsonValue
}

function tellOf(
  draft: RuleDraft,
  kind: DeclaredKind,
  { name, change, ...bodies }: DeclaredChange,
): void {
  if (kind === 'agent') draft.tell(`agent.${change}`, { agent: name })
  else if (kind === 'network') draft.tell('network.changed', { id: name, change, ...bodies })
  else draft.tell('policy.changed', { kind, name, change })
}

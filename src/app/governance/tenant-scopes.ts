import type { Caller } from '../../core/kernel/call.ts'
import type { Vocabulary } from '../../core/policy/level.ts'
import type { AgentPolicy, PolicyLevel, Scope } from '../../core/policy/scope.ts'
import { toVocabulary } from '../../core/policy/vocabulary.ts'
import type { Registry } from '../../core/registry.ts'
import { tenantSuspended } from '../../core/rules/tenant.ts'
import type { Config } from '../config/config-schema.ts'
import { agentNotFound } from '../../core/rules/agent-not-found.ts'
import { readLimits } from './read-limits.ts'
import type { SkillLevels } from '../../features/skills/skill-levels.ts'
import {
  providerOf,
  readAgentPolicy,
  readLevel,
  readPacks,
  readWords,
} from '../../core/rules/read-rules.ts'
import { readLabels } from './read-labels.ts'
import type { AgentView, TenantView } from '../../core/rules/tenant-view.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'

/** Builds scopes of one tenant from its rules. They share parts, which are compiled once. */
export interface TenantScopes {
  isThere: boolean
  scopeFor(caller: Caller): Promise<Scope>
}

/** Rules of all tenants. */
export interface Surroundings {
  config: Pick<
    Config,
    'policy' | 'profiles' | 'groups' | 'packs' | 'providers' | 'limits' | 'labels'
  >
  packs: ReturnType<Registry['packs']>
  skillLevels: SkillLevels
  /** Names of environment variables that are set. */
  env: ReadonlySet<string>
}

/** Cached entries of one tenant. */
const agentsAtMost = 200

interface KnownAgent {
  policy: AgentPolicy
  view: AgentView
}

export function createTenantScopes(
  view: TenantView | undefined,
  { config, packs, env, skillLevels }: Surroundings,
): TenantScopes {
  // Not checked again: a pack that a reload removed must not stop every call.
  const words = toWords(view, config, packs)
  const switches = readPacks(config.packs, view)
  const levels = toLevels(view, config)
  const limits = readLimits(view, config, words.groups)
  const labels = readLabels(config.labels, view)
  const levelsOf = new Map<string, PolicyLevel[]>()
  const agents = new Map<string, Promise<KnownAgent>>()

  function find(slug: string): Promise<KnownAgent> {
    const known = agents.get(slug)
    if (known !== undefined) return known
    const read = findAgent(view, slug).then((found) => ({
      policy: readAgentPolicy(found, words),
      view: found,
    }))
    agents.set(slug, read)
    if (agents.size > agentsAtMost) agents.delete(agents.keys().next().value ?? '')
    read.catch(() => agents.delete(slug))
    return read
  }
  function levelsFor(agent: KnownAgent | undefined): PolicyLevel[] {
    const provider = agent && providerOf(agent.view.agent)
    if (provider === undefined) return levels
    const known = levelsOf.get(provider) ?? [...levels, ...toProviderLevels(view, provider, config)]
    levelsOf.set(provider, known)
    return known
  }
  return {
    isThere: view !== undefined,
    async scopeFor(caller) {
      if (view?.tenant.status === 'suspended') throw tenantSuspended(view.tenant)
      const agent = caller.agent === undefined ? undefined : await find(caller.agent)
      const parents = await Promise.all((caller.parents ?? []).map(find))
      return {
        tenant: caller.tenant,
        isKnownTenant: view !== undefined,
        runtime: caller.runtime,
        agent: agent?.policy,
        parents: parents.map(({ policy }) => policy),
        levels:
          caller.skill === undefined
            ? levelsFor(agent)
            : [...levelsFor(agent), await skillLevels.find(caller)],
        packs: switches,
        permissions: caller.permissions,
        secrets: toSecretNames(view, caller.agent),
        choices: await view?.choices(caller.agent),
        env,
        labels,
        ...words,
        limits,
      }
    },
  }
}

/**
 * Names from configuration take precedence over the tenant's own, so they mean the same everywhere.
 */
export function toWords(
  view: TenantView | undefined,
  { profiles, groups }: Pick<Config, 'profiles' | 'groups'>,
  packs: Surroundings['packs'],
): Vocabulary {
  const own = readWords(view)
  return toVocabulary({
    profiles: { ...own.profiles, ...profiles },
    groups: { ...own.groups, ...groups },
    packs,
  })
}

const setBy = 'configuration'

/** From the widest to the narrowest. Each only narrows, so their order affects only the message. */
function toLevels(view: TenantView | undefined, { policy }: Pick<Config, 'policy'>): PolicyLevel[] {
  const own = view?.rules.get('policy')?.find(({ name }) => name === 'tenant')
  return [
    ...(policy === undefined ? [] : [{ name: 'global', setBy, ...policy }]),
    ...(own === undefined ? [] : [readLevel('tenant', own)]),
  ]
}

function toProviderLevels(
  view: TenantView | undefined,
  provider: string,
  { providers }: Pick<Config, 'providers'>,
): PolicyLevel[] {
  const everywhere = ownValue(providers, provider)
  const own = view?.rules.get('provider')?.find(({ name }) => name === provider)
  const name = `provider ${provider}`
  return [
    ...(everywhere === undefined ? [] : [{ name, setBy, ...everywhere }]),
    ...(own === undefined ? [] : [readLevel(`${name} of the tenant`, own)]),
  ]
}

async function findAgent(view: TenantView | undefined, slug: string): Promise<AgentView> {
  const agent = await view?.agent(slug)
  if (agent !== undefined) return agent
  throw agentNotFound(slug)
}

const noNames: ReadonlySet<string> = new Set()

function toSecretNames(
  view: TenantView | undefined,
  agent: string | undefined,
): ReadonlySet<string> {
  const common = view?.secrets.get('') ?? noNames
  const own = agent === undefined ? undefined : view?.secrets.get(agent)
  return own === undefined ? common : new Set([...common, ...own])
}

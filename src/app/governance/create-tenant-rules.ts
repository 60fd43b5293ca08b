import { findIdlePatterns } from '../../core/policy/idle-patterns.ts'
import type { Registry } from '../../core/registry.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { SkillLevels } from '../../features/skills/skill-levels.ts'
import { readLabels } from './read-labels.ts'
import { createTenantScopes, toWords, type Surroundings } from './tenant-scopes.ts'
import type { TenantViews } from './tenant-views.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'

interface Parts {
  config: Surroundings['config']
  env: Readonly<Record<string, string | undefined>>
  skillLevels: SkillLevels
  registry: Registry
  views: TenantViews
}

/** The rules of tenants, for features. */
export function createTenantRules({
  config,
  registry,
  views,
  env,
  skillLevels,
}: Parts): TenantRules {
  const known = new Set(Object.keys(env).filter((name) => env[name]))
  const tools: TenantRules['tools'] = (tenant) =>
    toolsOf(registry, tenant)
      .list()
      .map(({ contract }) => contract)
  const findWords: TenantRules['findWords'] = async (tenant) =>
    toWords(await views.find(tenant), config, registry.packs())
  return {
    list: async (tenant, kind) => (await views.find(tenant))?.rules.get(kind) ?? [],
    hasAgent: async (tenant, slug) => (await (await views.find(tenant))?.agent(slug)) !== undefined,
    findWords,
    tools,
    listLabels: async (tenant) => readLabels(config.labels, await views.find(tenant)),
    findPatternWarnings: async (tenant, lists) =>
      findIdlePatterns(lists, { groups: (await findWords(tenant)).groups, tools: tools(tenant) }),
    findView: (tenant) => views.find(tenant),
    applyView(view) {
      const packs = registry.packs()
      const surroundings = { config, packs, env: known, skillLevels }
      const { scopeFor } = createTenantScopes(view, surroundings)
      return { words: toWords(view, config, packs), scopeFor }
    },
    refresh: () => views.refresh(),
  }
}

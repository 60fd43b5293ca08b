import { findIdlePatterns } from '../../core/policy/idle-patterns.ts'
import type { Registry } from '../../core/registry.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { Config } from '../config-schema.ts'
import { readLabels } from './read-labels.ts'
import { toWords } from './tenant-scopes.ts'
import type { TenantViews } from './tenant-views.ts'
import { toolsOf } from './tools-of.ts'

interface Parts {
  config: Pick<Config, 'labels' | 'profiles' | 'groups'>
  registry: Registry
  views: TenantViews
}

/** The rules of tenants, for features. */
export function createTenantRules({ config, registry, views }: Parts): TenantRules {
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
    refresh: () => views.refresh(),
  }
}

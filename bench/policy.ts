import { parseConfig } from '../src/app/config/load-config.ts'
import { syncDeclared } from '../src/app/governance/declared.ts'
import { openSkills } from '../src/features/skills/feature.ts'
import { createToolSources } from '../src/core/sources/tool-sources.ts'
import { createTenantViews } from '../src/app/governance/tenant-views.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { createScopeSource } from '../src/app/governance/scope-source.ts'
import { decide } from '../src/core/policy/decide.ts'
import { createRegistry } from '../src/core/registry.ts'
import { benchTool } from './fixtures.ts'
import { type Figure, median } from './measure.ts'

const count = 1000

/** The decision about one call: the first time for a tool and a caller, and again. */
export async function benchPolicy(): Promise<Figure[]> {
  const registry = createRegistry()
  for (let at = 0; at < count; at += 1) registry.register(benchTool(`bench.tool-${at}`))
  const config = parseConfig(
    {
      policy: { profile: 'full', deny: ['shell.*'] },
      profiles: { readers: { allow: ['*.list', '*.read'] } },
      agents: [
        {
          slug: 'agent',
          tools: { profile: 'readers', allow: ['bench.*'], deny: ['bench.tool-1'] },
          hooks: { confirm: ['billing.*'], log: ['*'] },
        },
      ],
    },
    undefined,
  )
  const store = await openTestStore()
  const views = await createTenantViews({
    store,
    findDeciding: () => new Set(),
    onWarning: () => undefined,
  })
  await syncDeclared(config, store)
  const scopes = createScopeSource({
    config,
    registry,
    views,
    env: {},
    skillLevels: openSkills(store, store.engine).levels,
    sources: createToolSources(registry, views),
  })
  const caller = {
    tenant: 'default',
    principal: { kind: 'key', id: 'k' },
    permissions: ['*'],
    runtime: 'chat',
  } as const
  const decideAll = async () => {
    const scope = await scopes.scopeFor({ ...caller, agent: 'agent' })
    const startedAt = performance.now()
    for (const entry of registry.list()) decide(entry, scope)
    return ((performance.now() - startedAt) * 1000) / count
  }
  const firsts: number[] = []
  for (let round = 0; round < 15; round += 1) {
    scopes.invalidate()
    firsts.push(await decideAll())
  }
  const first = median(firsts)
  const again = await decideAll()
  views.close()
  await store.close()
  const goal = { unit: 'µs', goal: '< 20' }
  return [
    { name: 'decide about one call, first time', value: first, kept: first < 20, ...goal },
    { name: 'decide about one call, again', value: again, kept: again < 20, ...goal },
  ]
}

import { parseConfig } from '../src/app/load-config.ts'
import { createScopeSource } from '../src/app/scope-source.ts'
import { decide } from '../src/core/policy/decide.ts'
import { createRegistry } from '../src/core/registry.ts'
import { benchTool } from './fixtures.ts'
import { type Figure, median } from './measure.ts'

const count = 1000

/** The decision about one call: the first time for a tool and a caller, and again. */
export function benchPolicy(): Figure[] {
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
  const secretNames = {
    namesFor: () => new Set<string>(),
    refresh: async () => {},
    close: () => {},
  }
  const scopes = createScopeSource({ config, registry, secretNames, env: {} })
  scopes.readPolicies()
  const caller = {
    tenant: 'default',
    principal: { kind: 'key', id: 'k' },
    permissions: ['*'],
    runtime: 'chat',
  } as const
  const decideAll = () => {
    const scope = scopes.scopeFor({ ...caller, agent: 'agent' })
    const startedAt = performance.now()
    for (const entry of registry.list()) decide(entry, scope)
    return ((performance.now() - startedAt) * 1000) / count
  }
  const firsts = Array.from({ length: 15 }, () => {
    scopes.invalidate()
    return decideAll()
  })
  const first = median(firsts)
  const again = decideAll()
  const goal = { unit: 'µs', goal: '< 20' }
  return [
    { name: 'decide about one call, first time', value: first, kept: first < 20, ...goal },
    { name: 'decide about one call, again', value: again, kept: again < 20, ...goal },
  ]
}

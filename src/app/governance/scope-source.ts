import type { Caller } from '../../core/kernel/call.ts'
import type { Scope } from '../../core/policy/scope.ts'
import type { Registry } from '../../core/registry.ts'
import type { ToolSources } from '../../core/sources/tool-sources.ts'
import type { Config } from '../config/config-schema.ts'
import type { SkillLevels } from '../../features/skills/skill-levels.ts'
import type { TenantViews } from './tenant-views.ts'
import { createTenantScopes, type TenantScopes } from './tenant-scopes.ts'

export { defaultTenant } from '../../core/rules/tenant.ts'

/**
 * Collects the rules that apply to a caller. Returns the same Scope object while nothing has
 * changed.
 */
export interface ScopeSource {
  /** Synchronous if it is cached. Rejects with not_found for an unknown agent. */
  scopeFor(caller: Caller): Scope | Promise<Scope>
  /** Clears the cache, after a change of tools. */
  invalidate(): void
}

export interface ScopeSourceOptions {
  config: Config
  registry: Registry
  views: TenantViews
  skillLevels: SkillLevels
  sources: ToolSources
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Over all tenants: callers differ in few ways, but many of them, or a hostile one, must not fill
 * the memory with scopes. Scopes beyond the limit are collected again, in about a millisecond.
 */
const scopesAtMost = 2000
const tenantsAtMost = 500

/** The cached rules of one tenant; dropped as a whole when one of them changes. */
interface Gathered {
  source: Promise<TenantScopes>
  scopes: Map<string, Scope>
}

export function createScopeSource(options: ScopeSourceOptions): ScopeSource {
  const { views, config, registry, skillLevels, sources } = options
  const tenants = new Map<string, Gathered>()
  const keep = createBound(scopesAtMost)
  const env = new Set(Object.keys(options.env).filter((name) => options.env[name]))
  views.subscribe((slug) => tenants.delete(slug))
  // Collecting it again reloads its tools.
  sources.onForget((slug) => tenants.delete(slug))

  function gather(slug: string): Gathered {
    const known = tenants.get(slug)
    if (known !== undefined) return known
    const source = views.find(slug).then(async (view) => {
      if (view !== undefined) await sources.ready(view)
      return createTenantScopes(view, { config, env, packs: registry.packs(), skillLevels })
    })
    const gathered: Gathered = { source, scopes: new Map() }
    tenants.set(slug, gathered)
    if (tenants.size > tenantsAtMost) tenants.delete(tenants.keys().next().value ?? '')
    // Neither failures nor missing tenants are cached.
    const forget = () => tenants.get(slug) === gathered && tenants.delete(slug)
    source.then(({ isThere }) => isThere || forget(), forget)
    return gathered
  }
  async function build(caller: Caller, key: string): Promise<Scope> {
    const gathered = gather(caller.tenant)
    const scope = await (await gathered.source).scopeFor(caller)
    gathered.scopes.set(key, scope)
    keep(`${caller.tenant}\n${key}`, () => gathered.scopes.delete(key))
    return scope
  }
  return {
    scopeFor(caller) {
      const key = keyOf(caller)
      return tenants.get(caller.tenant)?.scopes.get(key) ?? build(caller, key)
    },
    invalidate: () => tenants.clear(),
  }
}

/**
 * Drops the oldest entry when there are too many. Entries dropped by their owner still count until
 * then.
 */
function createBound(atMost: number): (name: string, drop: () => void) => void {
  const kept = new Map<string, () => void>()
  return (name, drop) => {
    kept.delete(name)
    kept.set(name, drop)
    if (kept.size <= atMost) return
    const [oldest] = kept
    if (oldest === undefined) return
    kept.delete(oldest[0])
    oldest[1]()
  }
}

function keyOf(caller: Caller): string {
  const { runtime, agent = '', skill = '', parents, permissions } = caller
  // No slug or permission contains a line feed, so two callers cannot share a key by accident.
  return [runtime, agent, skill, parents?.join(' ') ?? '', ...permissions].join('\n')
}

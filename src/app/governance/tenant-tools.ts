import type { Registry } from '../../core/registry.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'
import type { TenantViews } from './tenant-views.ts'

/** Where tenants have tools of their own from: MCP servers they brought in, their agents. */
export interface TenantToolSource {
  readonly name: string
  /** What this tenant has, as it stands. Never throws: a tool that can't be used is quarantined. */
  toolsFor(view: TenantView): Promise<readonly OwnTool[]>
}

/** Keeps the tools that tenants have for themselves in the registry, for those that are in use. */
export interface TenantTools {
  add(source: TenantToolSource): void
  /** They are in the registry once it resolves; at once where nothing has changed. */
  ready(view: TenantView): Promise<void>
  readyFor(tenant: string): Promise<void>
  /** A source has something else for this tenant, or, without one, for all. */
  refresh(tenant?: string): Promise<void>
  /** Told when the tools of a tenant are gone from the registry, until somebody asks for them again. */
  onForget(listener: (tenant: string) => void): void
}

/** Tenants whose tools are held at once; others are asked for again when they come. */
const heldAtMost = 500

export function createTenantTools(registry: Registry, views: TenantViews): TenantTools {
  const sources: TenantToolSource[] = []
  const held = new Map<string, { view: TenantView; done: Promise<void> }>()
  /** Who has tools in the registry, whoever was asked for last at the end. */
  const used = new Set<string>()
  const listeners = new Set<(tenant: string) => void>()
  views.subscribe((tenant) => held.delete(tenant))

  async function load(view: TenantView, isLatest: () => boolean): Promise<void> {
    const { slug } = view.tenant
    await Promise.all(
      sources.map(async (source) => {
        const tools = await source.toolsFor(view)
        // Whoever asked later knows more.
        if (isLatest()) registry.setOwn(slug, source.name, tools)
      }),
    )
  }
  function use(slug: string): void {
    used.delete(slug)
    used.add(slug)
    const [oldest] = used
    if (used.size <= heldAtMost || oldest === undefined) return
    used.delete(oldest)
    held.delete(oldest)
    for (const { name } of sources) registry.setOwn(oldest, name, [])
    for (const listener of listeners) listener(oldest)
  }
  async function ready(view: TenantView): Promise<void> {
    const { slug } = view.tenant
    use(slug)
    const known = held.get(slug)
    if (known?.view === view) return known.done
    const isLatest = () => (held.get(slug) ?? entry) === entry
    const entry = { view, done: Promise.resolve() }
    held.set(slug, entry)
    entry.done = load(view, isLatest)
    entry.done.catch(() => isLatest() && held.delete(slug))
    return entry.done
  }
  async function readyFor(tenant: string): Promise<void> {
    const view = await views.find(tenant)
    if (view !== undefined) await ready(view)
  }
  return {
    ready,
    readyFor,
    add: (source) => void sources.push(source),
    onForget: (listener) => void listeners.add(listener),
    async refresh(tenant) {
      const concerned = tenant === undefined ? [...held.keys()] : [tenant]
      for (const slug of concerned) {
        if (!held.delete(slug)) continue
        await readyFor(slug)
      }
    },
  }
}

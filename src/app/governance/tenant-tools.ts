import type { Registry } from '../../core/registry.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import type { TenantView, TenantViews } from './tenant-views.ts'

/** Where tenants have tools of their own from: MCP servers they brought in, their agents. */
export interface TenantToolSource {
  readonly name: string
  /** What this tenant has, as it stands. Never throws: a tool that can't be used is quarantined. */
  toolsFor(view: TenantView): Promise<readonly OwnTool[]>
}

/** Keeps the tools that tenants have for themselves in the registry, for those that are in use. */
export interface TenantToolShelf {
  add(source: TenantToolSource): void
  /** They are in the registry once it resolves; at once where nothing has changed. */
  ready(view: TenantView): Promise<void>
  readyFor(tenant: string): Promise<void>
  /** A source has something else for this tenant, or, without one, for all. */
  refresh(tenant?: string): Promise<void>
}

/** Tenants whose tools are held at once; others are asked for again when they come. */
const heldAtMost = 500

export function createTenantTools(registry: Registry, views: TenantViews): TenantToolShelf {
  const sources: TenantToolSource[] = []
  const held = new Map<string, { view: TenantView; done: Promise<void> }>()
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
  function forgetOldest(): void {
    const [oldest] = held.keys()
    if (held.size <= heldAtMost || oldest === undefined) return
    held.delete(oldest)
    for (const { name } of sources) registry.setOwn(oldest, name, [])
  }
  async function ready(view: TenantView): Promise<void> {
    const { slug } = view.tenant
    const known = held.get(slug)
    if (known?.view === view) return known.done
    const isLatest = () => (held.get(slug) ?? entry) === entry
    const entry = { view, done: Promise.resolve() }
    held.set(slug, entry)
    forgetOldest()
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
    async refresh(tenant) {
      const concerned = tenant === undefined ? [...held.keys()] : [tenant]
      for (const slug of concerned) {
        if (!held.delete(slug)) continue
        await readyFor(slug)
      }
    },
  }
}

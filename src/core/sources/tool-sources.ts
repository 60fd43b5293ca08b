import { toEntry } from '../registry-draft.ts'
import type { RegisteredTool, Registry } from '../registry.ts'
import type { TenantView } from '../rules/tenant-view.ts'
import type { ToolOverrides } from '../tenant-tables.ts'
import { createEveryonesTools } from './everyones-tools.ts'
import type { RefusedTools, SourceChanged, ToolSource } from './tool-source.ts'

/** All tenants, as views that change with their rules. */
export interface TenantDirectory {
  find(tenant: string): Promise<TenantView | undefined>
  subscribe(listener: (tenant: string) => void): () => void
}

/**
 * The only way for tools into the registry: shared ones at once, a tenant's own while it is active.
 */
export interface ToolSources {
  /** Resolves when the source's shared tools are in the registry, with the refused ones. */
  attach(source: ToolSource): Promise<readonly RefusedTools[]>
  /**
   * Resolves when the tenant's own tools are in the registry; synchronous if nothing has changed.
   */
  ready(view: TenantView): Promise<void>
  readyFor(tenant: string): Promise<void>
  /** This version of a tool: the current one, or an earlier one that its source keeps. */
  findVersion(tenant: string, name: string, version: string): Promise<RegisteredTool | undefined>
  /** Updates a source's tools for this tenant, if it is active. */
  refresh(tenant: string): Promise<void>
  /**
   * Called when the tools of a tenant are dropped from the registry until they are requested again.
   */
  onForget(listener: (tenant: string) => void): void
}

/** How many earlier versions of tools are held at once. */
const versionsAtMost = 500

/** How many tenants' tools are held at once; others are loaded again on request. */
const heldAtMost = 500

const noTenants: TenantDirectory = {
  find: async () => undefined,
  subscribe: () => () => undefined,
}

export function createToolSources(
  registry: Registry,
  tenants: TenantDirectory = noTenants,
): ToolSources {
  const sources: ToolSource[] = []
  const own = createTenantTools(registry, tenants, sources)
  return {
    ...own,
    findVersion: createVersionFinder(registry, tenants, sources),
    attach(source) {
      if (sources.some(({ name }) => name === source.name)) {
        throw new TypeError(`Two sources of tools are named ${source.name}`)
      }
      sources.push(source)
      const sync = createEveryonesTools(registry, source)
      const changed: SourceChanged = (tenant) =>
        tenant === undefined ? sync() : own.refresh(tenant).then(() => [])
      source.watch?.(changed)
      return sync()
    },
  }
}

/** Earlier versions stay as they are, so a found one is kept in memory while it is in use. */
function createVersionFinder(
  registry: Registry,
  tenants: TenantDirectory,
  sources: readonly ToolSource[],
): ToolSources['findVersion'] {
  const found = new Map<string, RegisteredTool>()
  const keep = (key: string, entry: RegisteredTool) => {
    found.delete(key)
    found.set(key, entry)
    const [oldest] = found.keys()
    if (found.size > versionsAtMost && oldest !== undefined) found.delete(oldest)
    return entry
  }
  return async (tenant, name, version) => {
    const current = registry.find(name, tenant)
    if (current?.version === version) return current
    const key = `${tenant}\n${name}\n${version}`
    const known = found.get(key)
    if (known !== undefined) return keep(key, known)
    const view = await tenants.find(tenant)
    for (const source of sources) {
      const own = view && (await source.findVersion?.(view, name, version))
      const kept = own ?? (await source.findVersion?.('everyone', name, version))
      if (kept === undefined) continue
      const toWire = (tool: string) => registry.wireNames(tenant).toWire(tool)
      return keep(key, toEntry({ ...kept, origin: kept.origin ?? {} }, toWire))
    }
    return undefined
  }
}

function overridesOf(view: TenantView, sources: readonly ToolSource[]): ToolOverrides {
  return new Map(sources.flatMap(({ overridesFor }) => [...(overridesFor?.(view) ?? [])]))
}

/** Keeps the own tools of active tenants in the registry. */
function createTenantTools(
  registry: Registry,
  tenants: TenantDirectory,
  sources: readonly ToolSource[],
): Omit<ToolSources, 'attach' | 'findVersion'> {
  const held = new Map<string, { view: TenantView; done: Promise<void> }>()
  /** Tenants with tools in the registry, the most recently used last. */
  const used = new Set<string>()
  const listeners = new Set<(tenant: string) => void>()
  tenants.subscribe((tenant) => held.delete(tenant))

  async function load(view: TenantView, isLatest: () => boolean): Promise<void> {
    const { slug } = view.tenant
    await Promise.all(
      sources.map(async (source) => {
        const tools = await source.toolsFor(view)
        // A later request has newer tools.
        if (isLatest()) registry.setOwn(slug, source.name, tools)
      }),
    )
    if (isLatest()) registry.setOverrides(slug, overridesOf(view, sources))
  }
  function use(slug: string): void {
    used.delete(slug)
    used.add(slug)
    const [oldest] = used
    if (used.size <= heldAtMost || oldest === undefined) return
    used.delete(oldest)
    held.delete(oldest)
    for (const { name } of sources) registry.setOwn(oldest, name, [])
    registry.setOverrides(oldest, new Map())
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
    const view = await tenants.find(tenant)
    if (view !== undefined) await ready(view)
  }
  async function refresh(tenant: string): Promise<void> {
    if (held.delete(tenant)) await readyFor(tenant)
  }
  return { ready, readyFor, refresh, onForget: (listener) => void listeners.add(listener) }
}

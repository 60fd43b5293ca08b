import { isWireName, toWireNames, type WireNames } from './kernel/names.ts'
import {
  createDraft,
  type PackFacts,
  type RegisteredTool,
  type RegistryChange,
  type RegistryEvent,
  type RegistrySlot,
  type ToolPlace,
} from './registry-draft.ts'
import {
  createTenantTables,
  type OwnTool,
  type ToolOverrides,
  type ToolTable,
} from './tenant-tables.ts'
import type { Tool } from './kernel/tool.ts'

export type { PackFacts, RegisteredTool, RegistryChange, RegistryEvent, ToolPlace }

/** A pack with the facts its tools were registered with, merged. */
export interface RegisteredPack extends PackFacts {
  /** Canonical names, sorted. */
  readonly toolNames: readonly string[]
}

/** All tools of all sources. Policy decides who sees which. */
export interface Registry {
  /** Incremented with every update that changed something. */
  readonly version: number
  register(tool: Tool, origin?: ToolPlace): void
  replace(tool: Tool, origin?: ToolPlace): void
  /** False when there was no such tool. */
  remove(name: string): boolean
  /** Keeps the tool in the list but disables it; without a reason, enables it again. */
  quarantine(name: string, reason: string | undefined): void
  /**
   * Applies all changes in order, or none when one is refused. A reader never sees a partial
   * update.
   */
  update(changes: readonly RegistryChange[]): readonly RegistryEvent[]
  /** By canonical name, wire name or alias, in this order; with a tenant, also its own tools. */
  find(nameOrWire: string, tenant?: string): RegisteredTool | undefined
  /** Sorted by canonical name. The same array until something changes. */
  list(tenant?: string): readonly RegisteredTool[]
  wireNames(tenant?: string): WireNames
  /**
   * Replaces a source's tools for one tenant. Such changes are not events, and the names of shared
   * tools take precedence.
   */
  setOwn(tenant: string, source: string, tools: readonly OwnTool[]): void
  /** Replaces the tenant's changes to tools of others, for every reader of its tools. */
  setOverrides(tenant: string, overrides: ToolOverrides): void
  packs(): readonly RegisteredPack[]
  /** Called after every update, once per event. Returns a function that unsubscribes. */
  subscribe(listener: (event: RegistryEvent) => void): () => void
  /**
   * Called when a list has changed: a tenant's own, or the shared one (undefined). Returns a
   * function that unsubscribes.
   */
  watchLists(listener: (tenant: string | undefined) => void): () => void
}

/**
 * An empty registry. Its tables are built on the first read after a change, and kept until the
 * next.
 */
export function createRegistry(): Registry {
  const slots = new Map<string, RegistrySlot>()
  const aliases = new Map<string, string>()
  const publisher = createPublisher()
  let version = 0
  let views: { wireNames?: WireNames; list?: RegisteredTool[]; packs?: RegisteredPack[] } = {}

  const wireNames = () => (views.wireNames ??= toWireNames(slots.keys()))

  const update = (changes: readonly RegistryChange[]) => {
    const draft = createDraft({ slots, aliases, toWire: (name) => wireNames().toWire(name) })
    for (const change of changes) draft.apply(change)
    const { events, isChanged } = draft.commit()
    if (!isChanged) return events
    version++
    views = {}
    tenants.reset()
    publisher.publish(events)
    tellWatchers(undefined)
    return events
  }

  const find = (nameOrWire: string) => {
    const slot = slots.get(nameOrWire)
    if (slot) return slot.entry
    // Looking up a dotted name between two changes must not build the table each time.
    const byWire = isWireName(nameOrWire) ? wireNames().toCanonical(nameOrWire) : undefined
    return slots.get(byWire ?? aliases.get(nameOrWire) ?? '')?.entry
  }

  const list = () => [...slots.keys()].sort().flatMap((name) => slots.get(name)?.entry ?? [])
  const everyone: ToolTable = { find, list: () => (views.list ??= list()), wireNames }
  const tenants = createTenantTables(everyone)
  const watchers = new Set<(tenant: string | undefined) => void>()
  const tellWatchers = (tenant: string | undefined) => {
    for (const watcher of watchers) watcher(tenant)
  }

  const noteOwn = (tenant: string, isChanged: boolean) => {
    if (isChanged) version++
    if (isChanged) tellWatchers(tenant)
  }

  return {
    get version() {
      return version
    },
    register: (tool, origin) => void update([{ type: 'register', tool, origin }]),
    replace: (tool, origin) => void update([{ type: 'replace', tool, origin }]),
    remove: (name) => update([{ type: 'remove', name }]).length > 0,
    quarantine: (name, reason) => void update([{ type: 'quarantine', name, reason }]),
    update,
    find: (nameOrWire, tenant) => tenants.of(tenant).find(nameOrWire),
    list: (tenant) => tenants.of(tenant).list(),
    wireNames: (tenant) => tenants.of(tenant).wireNames(),
    setOwn: (tenant, source, tools) => noteOwn(tenant, tenants.set(tenant, source, tools)),
    setOverrides: (tenant, overrides) => noteOwn(tenant, tenants.override(tenant, overrides)),
    packs: () => (views.packs ??= toPacks(slots)),
    subscribe: publisher.subscribe,
    watchLists(listener) {
      const watcher = (tenant: string | undefined) => listener(tenant)
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}

/** Notifies in the order of the updates, even when a listener makes a change itself. */
function createPublisher() {
  const listeners = new Set<(event: RegistryEvent) => void>()
  let waiting: (readonly RegistryEvent[])[] | undefined

  const tell = (events: readonly RegistryEvent[], errors: unknown[]) => {
    for (const event of events) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          errors.push(error)
        }
      }
    }
  }

  return {
    publish(events: readonly RegistryEvent[]) {
      if (waiting) return void waiting.push(events)
      waiting = [events]
      const errors: unknown[] = []
      for (const batch of waiting) tell(batch, errors)
      waiting = undefined
      // The change has happened and all listeners were called: only now the failure is thrown to
      // the caller.
      if (errors.length > 0) throw errors[0]
    },
    subscribe(listener: (event: RegistryEvent) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function toPacks(slots: ReadonlyMap<string, RegistrySlot>): RegisteredPack[] {
  const byName = new Map<string, { facts: Set<PackFacts>; toolNames: string[] }>()
  for (const { entry, origin } of slots.values()) {
    const held = byName.get(entry.pack) ?? { facts: new Set(), toolNames: [] }
    if (origin.pack) held.facts.add(origin.pack)
    held.toolNames.push(entry.tool.contract.name)
    byName.set(entry.pack, held)
  }
  return [...byName.keys()].sort().map((name) => {
    const { facts = new Set<PackFacts>(), toolNames = [] } = byName.get(name) ?? {}
    const all = [...facts]
    return {
      name,
      title: all[0]?.title ?? name,
      description: all[0]?.description ?? '',
      optIn: all.some((one) => one.optIn),
      groups: [...new Set(all.flatMap((one) => one.groups))].sort(),
      toolNames: toolNames.sort(),
    }
  })
}

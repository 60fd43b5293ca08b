import { isWireName, toWireNames, type WireNames } from './kernel/names.ts'
import { toEntry } from './registry-draft.ts'
import type { RegisteredTool, ToolPlace } from './registry-draft.ts'
import type { Tool } from './kernel/tool.ts'
import { applyOverride, type ToolOverride } from './tool-override.ts'

/** A tool of one tenant only: from an MCP server it added, or one of its agents. */
export interface OwnTool {
  tool: Tool
  origin?: ToolPlace
  /** Why it is quarantined; absent if it isn't. */
  quarantine?: string
  /** Why its server can't be reached; absent if it can. */
  isDown?: string
}

/** The shared tools and those of one tenant, as one table. */
export interface ToolTable {
  find(nameOrWire: string): RegisteredTool | undefined
  /** Sorted by canonical name. */
  list(): readonly RegisteredTool[]
  wireNames(): WireNames
}

/** The own tools of tenants, by tenant and source. */
export interface TenantTables {
  /** Replaces the tools of this source for this tenant. False when nothing changed. */
  set(tenant: string, source: string, tools: readonly OwnTool[]): boolean
  /** Replaces the tenant's changes to tools of others. False when nothing changed. */
  override(tenant: string, overrides: ToolOverrides): boolean
  /** The tenant's table, or the shared one if it has no own tools and no overrides. */
  of(tenant: string | undefined): ToolTable
  /** The shared tools have changed. */
  reset(): void
}

/** By the canonical name of the tool. */
export type ToolOverrides = ReadonlyMap<string, ToolOverride>

const noOverrides: ToolOverrides = new Map()

/** Tables on top of the shared tools, whose names take precedence. */
export function createTenantTables(everyone: ToolTable): TenantTables {
  const own = new Map<string, Map<string, readonly RegisteredTool[]>>()
  const given = new Map<string, readonly OwnTool[]>()
  const overridden = new Map<string, ToolOverrides>()
  const tables = new Map<string, ToolTable>()

  function of(tenant: string | undefined): ToolTable {
    if (tenant === undefined) return everyone
    // Every tool of a list asks for it once, so a known table must cost nothing.
    const known = tables.get(tenant)
    if (known !== undefined) return known
    const sources = own.get(tenant)
    const overrides = overridden.get(tenant)
    if (sources === undefined && overrides === undefined) return everyone
    const tools = [...(sources?.values() ?? [])].flat()
    const table = joinTables(everyone, tools, overrides ?? noOverrides)
    tables.set(tenant, table)
    return table
  }
  return {
    of,
    reset: () => tables.clear(),
    override(tenant, overrides) {
      if (isSameMap(overridden.get(tenant) ?? noOverrides, overrides)) return false
      if (overrides.size > 0) overridden.set(tenant, overrides)
      else overridden.delete(tenant)
      tables.delete(tenant)
      return true
    },
    set(tenant, source, tools) {
      const key = `${tenant}\n${source}`
      if (isSame(given.get(key) ?? [], tools)) return false
      const sources = own.get(tenant) ?? new Map<string, readonly RegisteredTool[]>()
      const toWire = (name: string) => of(tenant).wireNames().toWire(name)
      const entries = tools.map((one) => toEntry({ ...one, origin: one.origin ?? {} }, toWire))
      if (tools.length > 0) sources.set(source, entries)
      else sources.delete(source)
      if (tools.length > 0) given.set(key, tools)
      else given.delete(key)
      if (sources.size > 0) own.set(tenant, sources)
      else own.delete(tenant)
      tables.delete(tenant)
      return true
    },
  }
}

function isSame(left: readonly OwnTool[], right: readonly OwnTool[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ tool, origin, quarantine, isDown }, index) => {
      const other = right[index]
      return (
        tool === other?.tool &&
        isSamePlace(origin, other.origin) &&
        quarantine === other.quarantine &&
        isDown === other.isDown
      )
    })
  )
}

function isSamePlace(left: ToolPlace = {}, right: ToolPlace = {}): boolean {
  return (['pack', 'codeDigest', 'version'] as const).every((key) => left[key] === right[key])
}

function isSameMap(left: ToolOverrides, right: ToolOverrides): boolean {
  return left.size === right.size && [...left].every(([name, one]) => right.get(name) === one)
}

/** Every reader of a tenant's tools reads this table, so overrides are applied here and only here. */
function joinTables(
  everyone: ToolTable,
  tools: readonly RegisteredTool[],
  overrides: ToolOverrides,
): ToolTable {
  const byName = new Map<string, RegisteredTool>()
  for (const entry of tools) {
    const { name } = entry.contract
    if (everyone.find(name) === undefined && !byName.has(name)) byName.set(name, apply(entry))
  }
  function apply(entry: RegisteredTool): RegisteredTool {
    const override = overrides.get(entry.contract.name)
    return override === undefined ? entry : applyOverride(entry, override)
  }
  let list: readonly RegisteredTool[] | undefined
  let names: WireNames | undefined
  const wireNames = () => (names ??= joinNames(everyone.wireNames(), byName.keys()))
  return {
    wireNames,
    list: () =>
      (list ??= [...everyone.list().map(apply), ...byName.values()].sort((left, right) =>
        left.contract.name < right.contract.name ? -1 : 1,
      )),
    find(nameOrWire) {
      const own = byName.get(nameOrWire)
      if (own !== undefined) return own
      const common = everyone.find(nameOrWire)
      if (common !== undefined) return apply(common)
      if (!isWireName(nameOrWire)) return undefined
      return byName.get(wireNames().toCanonical(nameOrWire) ?? '')
    },
  }
}

/** Wire names of shared tools must not depend on the own tools of a tenant. */
function joinNames(everyone: WireNames, own: Iterable<string>): WireNames {
  const added = toWireNames(own, (wire) => everyone.toCanonical(wire) !== undefined)
  return {
    toWire: (name) => added.toWire(name) ?? everyone.toWire(name),
    toCanonical: (wire) => added.toCanonical(wire) ?? everyone.toCanonical(wire),
    get entries() {
      return [...everyone.entries, ...added.entries].sort(([left], [right]) =>
        left < right ? -1 : 1,
      )
    },
  }
}

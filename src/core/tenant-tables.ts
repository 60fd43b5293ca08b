import { isWireName, toWireNames, type WireNames } from './kernel/names.ts'
import { toEntry } from './registry-draft.ts'
import type { RegisteredTool, ToolPlace } from './registry-draft.ts'
import type { Tool } from './kernel/tool.ts'

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
  /** The tenant's table, or the shared one if it has no own tools. */
  of(tenant: string | undefined): ToolTable
  /** The shared tools have changed. */
  reset(): void
}

/** Tables on top of the shared tools, whose names take precedence. */
export function createTenantTables(everyone: ToolTable): TenantTables {
  const own = new Map<string, Map<string, readonly RegisteredTool[]>>()
  const given = new Map<string, readonly OwnTool[]>()
  const tables = new Map<string, ToolTable>()

  function of(tenant: string | undefined): ToolTable {
    const sources = tenant === undefined ? undefined : own.get(tenant)
    if (tenant === undefined || sources === undefined) return everyone
    const known = tables.get(tenant) ?? joinTables(everyone, [...sources.values()].flat())
    tables.set(tenant, known)
    return known
  }
  return {
    of,
    reset: () => tables.clear(),
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
        origin?.pack === other.origin?.pack &&
        origin?.codeDigest === other.origin?.codeDigest &&
        quarantine === other.quarantine &&
        isDown === other.isDown
      )
    })
  )
}

function joinTables(everyone: ToolTable, tools: readonly RegisteredTool[]): ToolTable {
  const byName = new Map<string, RegisteredTool>()
  for (const entry of tools) {
    const { name } = entry.contract
    if (everyone.find(name) === undefined && !byName.has(name)) byName.set(name, entry)
  }
  let list: readonly RegisteredTool[] | undefined
  let names: WireNames | undefined
  const wireNames = () => (names ??= joinNames(everyone.wireNames(), byName.keys()))
  return {
    wireNames,
    list: () =>
      (list ??= [...everyone.list(), ...byName.values()].sort((left, right) =>
        left.contract.name < right.contract.name ? -1 : 1,
      )),
    find(nameOrWire) {
      const known = byName.get(nameOrWire) ?? everyone.find(nameOrWire)
      if (known !== undefined || !isWireName(nameOrWire)) return known
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

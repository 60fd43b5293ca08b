const canonicalPattern = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)*$/
const slugPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
/** What the MCP specification recommends for tool names, and `/`, which servers use all the same. */
const foreignToolPattern = /^[A-Za-z0-9_./-]{1,128}$/
const wirePattern = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

const maxNameLength = 100
const maxWireLength = 64
/** 36^6 ≈ 2·10⁹ suffixes: two of a thousand names that meet share one in 1 of 4,000 tables, and then it grows. */
const shortestSuffix = 6

/** Words before a colon that mean something else: other namespaces, and the prefixes of policy patterns. */
const reservedNamespaces = new Set(['mcp', 'agent', 'group', 'pack'])

/** True for `pack.verb` and the like: the names of tools written for this crib. */
export function isCanonicalName(name: string): boolean {
  return name.length <= maxNameLength && canonicalPattern.test(name)
}

/**
 * True for every name a tool may be registered under: a canonical name, `mcp:<server>:<tool>`,
 * `agent:<slug>` or `<plugin>:<tool>`. The tool part of an MCP name is foreign and may hold
 * capitals, dots and slashes, up to 128 characters; no part may hold a colon.
 */
export function isToolName(name: string): boolean {
  const [namespace = '', ...parts] = name.split(':')
  if (parts.length === 0) return isCanonicalName(name)
  if (namespace === 'mcp') return isForeignName(parts)
  const [part = '', ...more] = parts
  if (more.length > 0) return false
  return namespace === 'agent' ? slugPattern.test(part) : isPluginName(name, namespace, part)
}

function isForeignName([server = '', tool = '', ...more]: readonly string[]): boolean {
  return more.length === 0 && slugPattern.test(server) && foreignToolPattern.test(tool)
}

function isPluginName(name: string, plugin: string, tool: string): boolean {
  if (name.length > maxNameLength || reservedNamespaces.has(plugin)) return false
  return slugPattern.test(plugin) && canonicalPattern.test(tool)
}

/** True for what models and MCP clients of every make accept as a tool's name. */
export function isWireName(name: string): boolean {
  return wirePattern.test(name)
}

/** The one table between canonical names and the names models and MCP clients get. */
export interface WireNames {
  toWire(name: string): string | undefined
  toCanonical(wireName: string): string | undefined
  /** `[canonical, wire]`, sorted by canonical name: what is stored with a conversation. */
  readonly entries: readonly (readonly [name: string, wireName: string])[]
}

/**
 * Gives every name of a set its wire name. The table depends on the set alone, not on its order.
 *
 * Where names meet, one keeps the plain form: a name that is already a valid wire name (so that no
 * wire name is ever another tool's canonical name, and looking up either is unambiguous), otherwise
 * the first in code unit order. The others, and names that are too long, get a hash of their own
 * name, so that adding a name changes only those it meets. `isTaken` says which are given away in a
 * table that this one adds to.
 */
export function toWireNames(
  names: Iterable<string>,
  isTaken: (wireName: string) => boolean = () => false,
): WireNames {
  const sorted = [...new Set(names)].sort()
  const canonicalByWire = new Map<string, string>()
  const rest: { name: string; plain: string }[] = []
  for (const name of sorted) if (isWireName(name) && !isTaken(name)) canonicalByWire.set(name, name)
  for (const name of sorted) {
    if (canonicalByWire.get(name) === name) continue
    const plain = toPlainWireName(name)
    const isFree = plain.length <= maxWireLength && !canonicalByWire.has(plain) && !isTaken(plain)
    if (!isFree) rest.push({ name, plain })
    else canonicalByWire.set(plain, name)
  }
  // Only now, when every plain form is given away, a suffixed form can be checked against all of them.
  for (const { name, plain } of rest) {
    const isGone = (wire: string) => canonicalByWire.has(wire) || isTaken(wire)
    canonicalByWire.set(toFreeWireName(name, plain, isGone), name)
  }
  return toTable(sorted, canonicalByWire)
}

function toTable(
  sorted: readonly string[],
  canonicalByWire: ReadonlyMap<string, string>,
): WireNames {
  const wireByCanonical = new Map<string, string>()
  for (const [wireName, name] of canonicalByWire) wireByCanonical.set(name, wireName)
  const entries = sorted.map((name) => [name, wireByCanonical.get(name) ?? name] as const)
  return {
    toWire: (name) => wireByCanonical.get(name),
    toCanonical: (wireName) => canonicalByWire.get(wireName),
    entries,
  }
}

function toPlainWireName(name: string): string {
  const replaced = name.replace(/[^a-zA-Z0-9_-]/gu, '_')
  return /^[a-zA-Z_]/.test(replaced) ? replaced : `_${replaced}`
}

/** A wire name of its own for a tool whose plain one is gone: with a hash of its name. */
export function toFreeWireName(
  name: string,
  plain: string,
  isGone: (wireName: string) => boolean,
): string {
  for (const suffix of toSuffixes(name)) {
    const candidate = withSuffix(plain, suffix)
    if (!isGone(candidate)) return candidate
  }
  // The hash is not cryptographic: names made to meet in all of it are still told apart, by number.
  for (let number = 1; ; number++) {
    const candidate = withSuffix(plain, String(number))
    if (!isGone(candidate)) return candidate
  }
}

function withSuffix(plain: string, suffix: string): string {
  return `${plain.slice(0, maxWireLength - 1 - suffix.length)}_${suffix}`
}

function* toSuffixes(name: string): Generator<string> {
  const hash = toHash53(name, 0).toString(36).padStart(11, '0')
  for (let length = shortestSuffix; length <= hash.length; length++) yield hash.slice(-length)
  for (let seed = 1; seed <= 4; seed++) yield hash + toHash53(name, seed).toString(36)
}

/** cyrb53: 53 well mixed bits from a string, without BigInt and without a driver. */
export function toHash53(text: string, seed: number): number {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}

const canonicalPattern = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)*$/
const slugPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
/** The names the MCP specification recommends, and `/`, which servers use anyway. */
const foreignToolPattern = /^[A-Za-z0-9_./-]{1,128}$/
const wirePattern = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

const maxNameLength = 100
const maxWireLength = 64
/**
 * 36^6 ≈ 2·10⁹ suffixes: two of a thousand colliding names share one in 1 of 4,000 tables; then the
 * suffix grows.
 */
const shortestSuffix = 6

/**
 * Words before a colon that have another meaning: other namespaces, and the prefixes of policy
 * patterns.
 */
const reservedNamespaces = new Set(['mcp', 'api', 'agent', 'group', 'pack'])

/** True for names like `pack.verb`: tools written for this server. */
export function isCanonicalName(name: string): boolean {
  return name.length <= maxNameLength && canonicalPattern.test(name)
}

/**
 * True for every name a tool may be registered under: a canonical name, `mcp:<server>:<tool>`,
 * `api:<api>:<operation>`, `agent:<slug>` or `<plugin>:<tool>`. The last part of an MCP or API name
 * is foreign and may contain capitals, dots and slashes, up to 128 characters; no part may contain a colon.
 */
export function isToolName(name: string): boolean {
  const [namespace = '', ...parts] = name.split(':')
  if (parts.length === 0) return isCanonicalName(name)
  if (namespace === 'mcp' || namespace === 'api') return isForeignName(parts)
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

/** True for tool names that all models and MCP clients accept. */
export function isWireName(name: string): boolean {
  return wirePattern.test(name)
}

/** The mapping between canonical names and the names that models and MCP clients see. */
export interface WireNames {
  toWire(name: string): string | undefined
  toCanonical(wireName: string): string | undefined
  /** `[canonical, wire]`, sorted by canonical name; stored with a conversation. */
  readonly entries: readonly (readonly [name: string, wireName: string])[]
}

/**
 * Maps a set of names to wire names. The result depends on the set only, not on its order.
 *
 * When names collide, one keeps the plain form: a name that is already a valid wire name (so that
 * no wire name is ever another tool's canonical name, and looking up either is unambiguous),
 * otherwise the first in code unit order. The others, and names that are too long, get a hash of
 * their own name, so that adding a name changes only those it collides with. `isTaken` reports
 * names used by a table that this one extends.
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
  // A suffixed form can be checked only now, when every plain form is assigned.
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

/** A unique wire name for a tool whose plain one is taken: it ends in a hash of its name. */
export function toFreeWireName(
  name: string,
  plain: string,
  isGone: (wireName: string) => boolean,
): string {
  for (const suffix of toSuffixes(name)) {
    const candidate = withSuffix(plain, suffix)
    if (!isGone(candidate)) return candidate
  }
  // The hash is not cryptographic: names built to collide in all of it still get a number.
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

/** cyrb53: 53 well-mixed bits of a string, without BigInt or a driver. */
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

import { ToolError } from '../kernel/errors.ts'
import { compileGlob, type Glob } from '../kernel/text/glob.ts'
import { findGroup, type ToolGroups, listGroups } from './groups.ts'
import { cachePair } from '../kernel/identity-cache.ts'
import { describeKnown } from './nearest-name.ts'

/** A tool as patterns see it: its canonical name, and the pack that contains it. */
export interface NamedTool {
  readonly name: string
  readonly pack: string
  /**
   * Former names. Restrictions apply to them too; grants apply only where they spell the name out.
   */
  readonly aliases?: readonly string[]
}

/** Patterns compiled to one matcher. */
export interface PatternSet {
  /** The pattern that matches this tool, as written (`group:fs`, not the group's contents). */
  find(tool: NamedTool): string | undefined
  /** The same, or the former name of the tool spelled out: a rename keeps its grants. */
  findOrFormer(tool: NamedTool): string | undefined
  /** The same for any current or former name of the tool: a rename must not escape a deny. */
  findUnderAnyName(tool: NamedTool): string | undefined
  readonly isEmpty: boolean
}

const maxPatternLength = 200
/** Exact names cost nothing, so a list may name every tool of a large server. */
const maxPatterns = 10_000
/** Including the contents of groups. Groups of groups would otherwise make a short list endless. */
const maxHeld = 20_000
/** Each of these is tried on every tool that nothing cheaper matches. */
const maxGlobs = 1_000
/** The characters of tool names, and the star. `?`, `[a-z]` or `!` would silently match nothing. */
const patternCharacters = /^[A-Za-z0-9._:/*-]+$/

/**
 * Compiles one pattern: an exact name, a name with `*` for any characters, `group:<name>`,
 * `pack:<name>` or `*`. Throws `invalid_policy` for anything else.
 */
export function compilePattern(pattern: string, groups: ToolGroups): (tool: NamedTool) => boolean {
  const set = buildSet([pattern], groups)
  return (tool) => set.find(tool) !== undefined
}

/**
 * Compiles a list of patterns to one matcher, once per list and groups: both are immutable. Throws
 * `invalid_policy` for the first that is malformed or names an unknown group.
 */
export function compilePatterns(patterns: readonly string[], groups: ToolGroups): PatternSet {
  return cachedSet(groups, patterns)
}

const cachedSet = cachePair((groups: ToolGroups, patterns: readonly string[]) =>
  buildSet(patterns, groups),
)

interface Parts {
  everything: string | undefined
  readonly names: Map<string, string>
  readonly packs: Map<string, string>
  readonly globs: { fits: Glob; written: string }[]
  held: number
}

function buildSet(patterns: readonly string[], groups: ToolGroups): PatternSet {
  if (patterns.length > maxPatterns) {
    throw invalid(`A list of ${patterns.length} patterns is too long; the limit is ${maxPatterns}`)
  }
  const parts: Parts = {
    everything: undefined,
    names: new Map(),
    packs: new Map(),
    globs: [],
    held: 0,
  }
  for (const pattern of new Set(patterns)) addPattern(parts, pattern, groups)
  if (parts.globs.length > maxGlobs) {
    throw invalid(`${parts.globs.length} patterns with * are too many; the limit is ${maxGlobs}`)
  }
  const find = (tool: NamedTool) => findIn(parts, tool)
  return {
    find,
    findOrFormer: (tool) => find(tool) ?? findFormer(parts, tool),
    findUnderAnyName: (tool) => find(tool) ?? findAlias(parts, tool),
    isEmpty: patterns.length === 0,
  }
}

/** By exact name only: a glob that used to match a tool was never about that tool. */
function findFormer(parts: Parts, { aliases = [] }: NamedTool): string | undefined {
  for (const name of aliases) {
    const found = parts.names.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

function findAlias(parts: Parts, tool: NamedTool): string | undefined {
  for (const name of tool.aliases ?? []) {
    const found = findIn(parts, { name, pack: tool.pack })
    if (found !== undefined) return found
  }
  return undefined
}

function findIn(parts: Parts, tool: NamedTool): string | undefined {
  const cheap = parts.everything ?? parts.names.get(tool.name) ?? parts.packs.get(tool.pack)
  if (cheap !== undefined) return cheap
  for (const glob of parts.globs) if (glob.fits(tool.name)) return glob.written
  return undefined
}

/**
 * Adds a written pattern with the contents of its groups. A group is visited once, so cycles end.
 */
function addPattern(parts: Parts, written: string, groups: ToolGroups): void {
  const entered = new Set<string>()
  const pending = [written]
  for (let pattern = pending.pop(); pattern !== undefined; pattern = pending.pop()) {
    checkPattern(pattern)
    parts.held += 1
    if (parts.held > maxHeld) {
      throw invalid(`With their groups these are too many patterns; the limit is ${maxHeld}`)
    }
    if (!pattern.startsWith('group:')) {
      addSimple(parts, pattern, written)
      continue
    }
    const group = pattern.slice('group:'.length)
    if (entered.has(group)) continue
    entered.add(group)
    for (const held of patternsOf(group, groups)) pending.push(held)
  }
}

function addSimple(parts: Parts, pattern: string, written: string): void {
  if (/^\*+$/.test(pattern)) parts.everything ??= written
  else if (pattern.startsWith('pack:')) setOnce(parts.packs, pattern.slice('pack:'.length), written)
  else if (!pattern.includes('*')) setOnce(parts.names, pattern, written)
  else parts.globs.push({ fits: compileGlob(pattern), written })
}

/** The first pattern that matches is the one explain shows. */
function setOnce(map: Map<string, string>, key: string, written: string): void {
  if (!map.has(key)) map.set(key, written)
}

function patternsOf(group: string, groups: ToolGroups): readonly string[] {
  const patterns = findGroup(group, groups)
  if (patterns !== undefined) return patterns
  throw invalid(`Unknown group "${group}"; ${describeKnown(group, listGroups(groups))}`)
}

function checkPattern(pattern: string): void {
  if (typeof pattern !== 'string') throw invalid('A pattern must be a string')
  if (pattern === '') throw invalid('A pattern is empty; to match every tool, write *')
  if (pattern.length > maxPatternLength) {
    throw invalid(`A pattern has ${pattern.length} characters; the limit is ${maxPatternLength}`)
  }
  if (!patternCharacters.test(pattern)) {
    throw invalid(
      `Malformed pattern ${JSON.stringify(pattern)}; write a tool's name, * for any characters, group:<name> or pack:<name>`,
    )
  }
  const [, prefix, rest] = /^(group|pack):(.*)$/.exec(pattern) ?? []
  if (prefix !== undefined && (rest === '' || rest?.includes('*'))) {
    throw invalid(`Malformed pattern "${pattern}"; ${prefix}: is followed by one name, without *`)
  }
}

function invalid(message: string): ToolError {
  return new ToolError('invalid_policy', message)
}

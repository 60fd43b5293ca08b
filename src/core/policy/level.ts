import { isToolError, ToolError } from '../kernel/errors.ts'
import type { ToolGroups } from '../patterns/groups.ts'
import { isMetaTool } from '../kernel/meta-tools.ts'
import { describeKnown } from '../patterns/nearest-name.ts'
import { compilePatterns, type NamedTool, type PatternSet } from '../patterns/patterns.ts'
import { findProfile, listProfiles, type Profiles } from './profiles.ts'

/** The profiles and groups that patterns may refer to. */
export interface Vocabulary {
  readonly profiles: Profiles
  readonly groups: ToolGroups
}

/** The rules of one level, whether of a tenant, a skill or an agent. */
export interface LevelRules {
  readonly profile?: string | undefined
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  /** The default without patterns: levels allow everything, agents and skills nothing. */
  readonly whenEmpty: 'everything' | 'nothing'
  readonly closed?: string | undefined
}

interface AllowAndDeny {
  readonly allow: PatternSet
  readonly deny: PatternSet
}

/** A compiled level. */
export interface CompiledLevel extends AllowAndDeny {
  readonly lets: 'named' | 'everything' | 'nothing'
  readonly profile: (AllowAndDeny & { readonly name: string }) | undefined
  readonly closed: string | undefined
}

/** The result of a level for one tool; the layers turn it into a message. */
export type LevelFinding =
  | { passes: true; by: 'open' }
  | { passes: true; by: 'allow' | 'profile-allow'; pattern: string }
  /** `despite`: a pattern that would allow it; deny wins. */
  | { passes: false; by: 'deny' | 'profile-deny'; pattern: string; despite?: string }
  | { passes: false; by: 'closed'; why: string }
  | { passes: false; by: 'unnamed' | 'empty' }

/** Compiles a level; throws `invalid_policy` for a malformed pattern, an unknown profile or group. */
export function compileLevel(rules: LevelRules, vocabulary: Vocabulary): CompiledLevel {
  const profile = compileProfile(rules.profile, vocabulary)
  const allow = compilePatterns(rules.allow, vocabulary.groups)
  const deny = compilePatterns(rules.deny, vocabulary.groups)
  const lets = profile === undefined && allow.isEmpty ? rules.whenEmpty : 'named'
  return { lets, profile, allow, deny, closed: rules.closed }
}

/** The same for stored rules: those that can't be compiled deny everything, with the reason. */
export function compileStoredLevel(rules: LevelRules, vocabulary: Vocabulary): CompiledLevel {
  try {
    return compileLevel(rules, vocabulary)
  } catch (error) {
    if (!isToolError(error)) throw error
    return { ...closedLevel, closed: rules.closed ?? error.message }
  }
}

/**
 * Evaluates one level for a tool. Deny wins, including the profile's own. Otherwise, with a
 * profile, tools matched by it or by `allow` pass; without one, those matched by a non-empty
 * `allow`.
 */
export function judgeLevel(level: CompiledLevel, tool: NamedTool): LevelFinding {
  if (level.closed !== undefined) return { passes: false, by: 'closed', why: level.closed }
  const denied = level.deny.findUnderAnyName(tool)
  if (denied !== undefined) return deny('deny', denied, findAllow(level, tool))
  const refused = level.profile?.deny.findUnderAnyName(tool)
  if (refused !== undefined) return deny('profile-deny', refused, findAllow(level, tool))
  if (level.lets === 'everything' || isMetaTool(tool.name)) return { passes: true, by: 'open' }
  if (level.lets === 'nothing') return { passes: false, by: 'empty' }
  const allowed = level.allow.findOrFormer(tool)
  if (allowed !== undefined) return { passes: true, by: 'allow', pattern: allowed }
  const included = level.profile?.allow.findOrFormer(tool)
  if (included !== undefined) return { passes: true, by: 'profile-allow', pattern: included }
  return { passes: false, by: 'unnamed' }
}

function deny(
  by: 'deny' | 'profile-deny',
  pattern: string,
  despite: string | undefined,
): LevelFinding & { passes: false } {
  return { passes: false, by, pattern, ...(despite !== undefined && { despite }) }
}

function findAllow(level: CompiledLevel, tool: NamedTool): string | undefined {
  return level.allow.find(tool) ?? level.profile?.allow.find(tool)
}

const nothing: PatternSet = {
  find: () => undefined,
  findOrFormer: () => undefined,
  findUnderAnyName: () => undefined,
  isEmpty: true,
}
const closedLevel = { lets: 'nothing', profile: undefined, allow: nothing, deny: nothing } as const

function compileProfile(name: string | undefined, vocabulary: Vocabulary) {
  if (name === undefined) return undefined
  const profile = findProfile(name, vocabulary.profiles)
  if (profile === undefined) {
    const known = describeKnown(name, listProfiles(vocabulary.profiles))
    throw new ToolError('invalid_policy', `Unknown profile "${name}"; ${known}`)
  }
  const allow = compilePatterns(profile.allow, vocabulary.groups)
  const deny = compilePatterns(profile.deny, vocabulary.groups)
  return { name, allow, deny }
}

import type { Principal } from '../call.ts'
import type { JsonValue } from '../json.ts'
import type { PolicyLevelSpec } from '../policy/policy-level.ts'
import type { PromptArgument } from '../library/prompt-argument.ts'
import type { SkillFileEntry } from './skill-reader.ts'

/** What the front matter of SKILL.md says. */
export interface SkillManifest {
  name: string
  description: string
  /** Names or patterns of tools that an agent with this skill is granted. */
  tools: readonly string[]
  /** What may be used while the skill is in force; absent means nothing. */
  permissions?: PolicyLevelSpec
  /** What is asked for when it is used as a prompt, and put where its text says `$name`. */
  arguments?: readonly PromptArgument[]
  license?: string
  /** What the skill says of itself beside that, unknown keys included. */
  metadata: Readonly<Record<string, JsonValue>>
}

/** One file of a skill as it was brought. */
export interface SkillFile {
  path: string
  bytes: Uint8Array
}

/** A skill that may be installed. */
export interface ReadSkill {
  manifest: SkillManifest
  /** SHA-256 over paths and contents, in hex: the same content is the same version. */
  version: string
  files: readonly SkillFile[]
  /** What is odd but not fatal. */
  warnings: readonly string[]
}

/** One version in the list of a skill. */
export interface SkillVersion {
  version: string
  files: number
  bytes: number
  installedAt: string
  installedBy: Principal
}

/** A skill in a list. */
export interface SkillListing {
  name: string
  description: string
  /** The newest version. */
  version: string
  versions: number
  /** Configuration declares it: it can't be removed elsewhere. */
  isDeclared: boolean
  installedAt: string
  installedBy: Principal
}

/** An agent that has a skill, in which version. */
export interface SkillUser {
  agent: string
  version: string
  enabledAt: string
  enabledBy: Principal
}

/** One skill with all that can be known of it. */
export interface SkillDetail extends Omit<SkillListing, 'versions'> {
  /** Newest first. */
  versions: readonly SkillVersion[]
  manifest: SkillManifest
  /** The text of SKILL.md after its front matter. */
  instructions: string
  files: readonly SkillFileEntry[]
  /** The first hundred, by name. */
  enabledBy: readonly SkillUser[]
  /** Required tools that this tenant does not have now. */
  unknownTools: readonly string[]
}

/** What came of an installation. */
export interface SkillReceipt {
  name: string
  version: string
  /** False when this content was there already. */
  isNew: boolean
  manifest: SkillManifest
  files: number
  bytes: number
  warnings: readonly string[]
  unknownTools: readonly string[]
  /** Old versions that no agent had and that made room. */
  dropped: readonly string[]
}

/** What turning a skill on, off or over does to an agent. */
export interface SkillChange {
  agent: string
  skill: string
  /** The version from now on; absent when the skill is taken off. */
  version?: string
  /** The version until now. */
  previous?: string
  grants: {
    /** Patterns that the agent is granted now and was not before. */
    added: readonly string[]
    /** Patterns that it is granted no more. */
    removed: readonly string[]
    /** Patterns that the skill no longer holds, but something else does. */
    kept: readonly string[]
  }
  unknownTools: readonly string[]
  /** Nothing was changed: somebody asked what would. */
  isDryRun: boolean
}

/** The name of a skill, and of the level it makes: `skill:<name>`. */
export const skillName = /^[a-z][a-z0-9-]{0,62}$/

/** The source by which a skill holds grants, and the name of its policy level. */
export function toSkillSource(name: string): string {
  return `skill:${name}`
}

/** Enough of a version to tell it from others. */
export function toShortVersion(version: string): string {
  return version.slice(0, 12)
}

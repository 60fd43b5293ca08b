import type { JsonValue } from '../../core/kernel/json.ts'
import type { PolicyLevelSpec } from '../../core/policy/policy-level.ts'
import type { PromptArgument } from '../../core/kernel/context/prompt-argument.ts'

/** The front matter of SKILL.md. */
export interface SkillManifest {
  name: string
  description: string
  /** Names or patterns of tools that an agent with this skill is granted. */
  tools: readonly string[]
  /** The tools that may be used while the skill is active; absent means none. */
  permissions?: PolicyLevelSpec
  /** Arguments when it is used as a prompt; they replace `$name` in its text. */
  arguments?: readonly PromptArgument[]
  license?: string
  /** Other metadata of the skill, including unknown keys. */
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
  /** Problems that are not fatal. */
  warnings: readonly string[]
}

/** Permissions that let a caller read installed skills: one of them is enough. */
export const skillReaders = ['skills.manage', 'agents.manage', 'policy.read'] as const

/** The name of a skill, and of the level it makes: `skill:<name>`. */
export const skillName = /^[a-z][a-z0-9-]{0,62}$/

/** The source by which a skill holds grants, and the name of its policy level. */
export function toSkillSource(name: string): string {
  return `skill:${name}`
}

/** Enough of a version to distinguish it from others. */
export function toShortVersion(version: string): string {
  return version.slice(0, 12)
}

/**
 * How large a skill may be. It is read into memory whole when it is installed, and its text goes to
 * models: a skill that needs more than this has brought something that belongs elsewhere.
 */
export const skillBounds = Object.freeze({
  zipBytes: 5 * 1024 * 1024,
  /** All its files together, unpacked. */
  bytes: 20 * 1024 * 1024,
  files: 500,
  /** The size limit of one binary file. */
  fileBytes: 5 * 1024 * 1024,
  textBytes: 1024 * 1024,
  frontMatterBytes: 64 * 1024,
  /** One name in a path, as most file systems have it. */
  nameBytes: 255,
  pathBytes: 512,
  /** An entry of over a megabyte that packs better than this is made to hurt. */
  ratio: 200,
  /** Kept of one skill; then the oldest that no agent has go. */
  versions: 50,
  /** Of one tenant. */
  skills: 2000,
  tenantBytes: 1024 * 1024 * 1024,
})

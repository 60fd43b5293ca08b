import type { PromptArgument } from './prompt-argument.ts'

/** A file of a skill, as listed. */
export interface SkillFileEntry {
  path: string
  bytes: number
  isText: boolean
}

/** A skill that an agent has enabled. */
export interface EnabledSkill {
  name: string
  version: string
  description: string
  /** Its arguments when used as a prompt. */
  arguments?: readonly PromptArgument[]
}

/** Part of a file of a skill. */
export interface SkillText extends SkillFileEntry {
  name: string
  version: string
  offset: number
  /** Cut between characters; undefined for a file that is not text. */
  text?: string
  /** The byte to continue from; undefined at the end. */
  next?: number
  /** The other files of the skill; only with SKILL.md. */
  files: readonly SkillFileEntry[]
}

/** The skills of the calling agent, and of no other. */
export interface SkillReader {
  /** Sorted by name, at most `limit`. */
  list(limit: number): Promise<EnabledSkill[]>
  /**
   * For SKILL.md, the instructions only. Throws not_found for a skill that the agent has not
   * enabled.
   */
  read(name: string, path: string, range: { offset: number; limit: number }): Promise<SkillText>
}

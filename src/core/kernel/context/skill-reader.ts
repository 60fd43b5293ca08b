import type { PromptArgument } from './prompt-argument.ts'

/** One file of a skill in a list. */
export interface SkillFileEntry {
  path: string
  bytes: number
  isText: boolean
}

/** What an agent has turned on. */
export interface EnabledSkill {
  name: string
  version: string
  description: string
  /** What it asks for as a prompt. */
  arguments?: readonly PromptArgument[]
}

/** A part of one file of a skill. */
export interface SkillText extends SkillFileEntry {
  name: string
  version: string
  offset: number
  /** Cut between characters; undefined for what is no text. */
  text?: string
  /** The byte to read on from; undefined at the end. */
  next?: number
  /** The other files of the skill, with SKILL.md alone. */
  files: readonly SkillFileEntry[]
}

/** The skills of the calling agent, and nobody else's. */
export interface SkillReader {
  /** By name; at most so many. */
  list(limit: number): Promise<EnabledSkill[]>
  /** Of SKILL.md the instructions alone. Throws not_found for what the agent has not turned on. */
  read(name: string, path: string, range: { offset: number; limit: number }): Promise<SkillText>
}

import type { Principal } from '../../core/kernel/call.ts'
import type { Page } from '../../core/kernel/page.ts'
import type { RuleDraft, RuleStore } from '../../core/rules/rule-store.ts'
import type { SkillFileEntry } from '../../core/kernel/context/skill-reader.ts'
import type { ReadSkill } from './model.ts'
import type { SkillUser } from './schemas.ts'

/** A version as it is stored, without the contents of its files. */
export interface StoredSkillVersion {
  skill: string
  version: string
  /** As stored and unchecked; parse it with `readManifest`. */
  manifest: unknown
  files: readonly SkillFileEntry[]
}

/** Bytes of a file from `offset`. */
export interface SkillFilePage extends SkillFileEntry {
  offset: number
  chunk: Uint8Array
}

/** Inside one change of rules: what is installed changes with them, or not at all. */
export interface SkillDraft extends RuleDraft {
  /** Stores a version; does nothing if it exists. */
  keepVersion(skill: ReadSkill): Promise<void>
  /** One version, or all of them. */
  dropVersions(skill: string, version?: string): Promise<void>
  findVersion(skill: string, version: string): Promise<StoredSkillVersion | undefined>
  /** All agents that have it, by name. */
  listUsers(skill: string): Promise<SkillUser[]>
  /** Totals of the tenant's installed skills. */
  measure(): Promise<{ skills: number; bytes: number }>
}

/** The contents of skills. Rules record which are installed and which agents have them. */
export interface SkillStore {
  /** Like a change of rules, in one transaction with the contents. */
  change<T>(tenant: string, by: Principal, work: (draft: SkillDraft) => Promise<T>): Promise<T>
  findVersion(
    tenant: string,
    skill: string,
    version: string,
  ): Promise<StoredSkillVersion | undefined>
  /** The stored manifests of these versions; missing ones are left out. */
  findManifests(
    tenant: string,
    versions: readonly { skill: string; version: string }[],
  ): Promise<{ skill: string; version: string; manifest: unknown }[]>
  readFile(
    tenant: string,
    file: { skill: string; version: string; path: string },
    range: { offset: number; limit: number },
  ): Promise<SkillFilePage | undefined>
  /** Agents that have it, by name. */
  listUsers(
    tenant: string,
    skill: string,
    query: { after?: string; limit: number },
  ): Promise<Page<SkillUser>>
}

/**
 * The stores of skills: rules record which are installed and which agents have them; the contents
 * are stored separately.
 */
export interface SkillStores {
  rules: RuleStore
  skills: SkillStore
}

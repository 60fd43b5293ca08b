import type { Caller } from '../call.ts'
import type { ListQuery, Page } from '../page.ts'
import type { SkillChange, SkillDetail, SkillListing, SkillReceipt } from './skill.ts'
import type { SkillFilePage } from './skill-store.ts'

/** What doors may do with skills. */
export interface SkillsApi {
  /** By name. */
  listSkills(caller: Caller, query: ListQuery): Promise<Page<SkillListing>>
  /** In this version, which may be cut short, or the newest. */
  findSkill(caller: Caller, name: string, query?: { version?: string }): Promise<SkillDetail>
  /** A zip of a skill's folder. The same content again changes nothing. */
  installSkill(caller: Caller, zip: Uint8Array): Promise<SkillReceipt>
  readSkillFile(
    caller: Caller,
    file: { name: string; path: string; version?: string },
  ): Promise<SkillFilePage>
  /** Refused while an agent has it, unless forced: then it is taken off them first. */
  removeSkill(caller: Caller, name: string, options?: { force?: boolean }): Promise<void>
  /** What an agent has turned on, by name. */
  listAgentSkills(caller: Caller, agent: string): Promise<SkillPin[]>
  /** Also the way to another version, newer or older. Without a version: the newest. */
  enableSkill(
    caller: Caller,
    pin: { agent: string; name: string; version?: string; dryRun?: boolean },
  ): Promise<SkillChange>
  disableSkill(
    caller: Caller,
    pin: { agent: string; name: string; dryRun?: boolean },
  ): Promise<SkillChange>
}

/** A skill that an agent has, and who gave it. */
export interface SkillPin {
  name: string
  version: string
  enabledAt: string
  enabledBy: { kind: string; id: string }
}

import type { Caller } from '../../core/kernel/call.ts'
import type { SkillReader } from '../../core/kernel/context/skill-reader.ts'
import type { SkillLevels } from './skill-levels.ts'
import type { SkillStores } from './skill-store.ts'

/** What policy, prompts and calls use of skills. */
export interface OpenSkills {
  stores: SkillStores
  levels: SkillLevels
  readerFor(caller: Caller): SkillReader
}

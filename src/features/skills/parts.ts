import type { Caller } from '../../core/kernel/call.ts'
import type { SkillReader } from '../../core/kernel/context/skill-reader.ts'
import type { SkillLevels } from './skill-levels.ts'
import type { SkillStores } from './skill-store.ts'

/** The functions of skills that policy, prompts and calls use. */
export interface OpenSkills {
  stores: SkillStores
  levels: SkillLevels
  readerFor(caller: Caller): SkillReader
}

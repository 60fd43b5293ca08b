import type { Caller } from '../../core/kernel/call.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import type { Store } from '../../core/ports.ts'
import type { SkillReader } from '../../core/kernel/context/skill-reader.ts'
import type { Engine } from '../../store/engine/engine.ts'
import type { Feature } from '../feature.ts'
import { skillOperations } from './operations.ts'
import { createSkillLevels, type SkillLevels } from './skill-levels.ts'
import { createSkillLibrary } from './skill-library.ts'
import type { SkillStores } from './skill-store.ts'
import { createSkillStore } from './store/skill-store.ts'

/** Skills: instructions for agents, with the tools they require and the permissions they leave. */
export const skillsFeature: Feature = {
  name: 'skills',
  open: ({ store, engine, rules }) => ({
    operations: openOperations(skillOperations, { ...openSkills(store, engine), rules }),
  }),
}

/** What policy, prompts and calls use of skills. */
export interface OpenSkills {
  stores: SkillStores
  levels: SkillLevels
  readerFor(caller: Caller): SkillReader
}

export function openSkills({ rules }: Pick<Store, 'rules'>, engine: Engine): OpenSkills {
  const stores = { rules, skills: createSkillStore(engine) }
  return { stores, levels: createSkillLevels(stores), readerFor: createSkillLibrary(stores) }
}

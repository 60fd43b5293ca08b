import { skillsCapability } from '../../core/pipeline/capabilities/skills.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import type { Store } from '../../core/ports.ts'
import type { Engine } from '../../store/engine/engine.ts'
import type { Feature } from '../feature.ts'
import { skillOperations } from './operations.ts'
import type { OpenSkills } from './parts.ts'
import { createSkillLevels } from './skill-levels.ts'
import { createSkillLibrary } from './skill-library.ts'
import { createSkillPrompts } from './skill-prompts.ts'
import { createSkillStore } from './store/skill-store.ts'

/** Skills: instructions for agents, with the tools they require and the permissions they leave. */
export const skillsFeature: Feature = {
  name: 'skills',
  open: ({ skills, rules }) => ({
    operations: openOperations(skillOperations, { ...skills, rules }),
    capabilities: { skills: skillsCapability(skills.readerFor) },
    library: [createSkillPrompts(skills)],
  }),
}

/** Opens before the features: policy reads the levels of skills. */
export function openSkills({ rules }: Pick<Store, 'rules'>, engine: Engine): OpenSkills {
  const stores = { rules, skills: createSkillStore(engine) }
  return { stores, levels: createSkillLevels(stores), readerFor: createSkillLibrary(stores) }
}

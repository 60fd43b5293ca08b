import { definePack } from '../core/define-pack.ts'
import type { Pack } from '../core/tool.ts'
import { listSkills } from './skill/list-skills.ts'
import { readSkill } from './skill/read-skill.ts'

const skillPack = definePack({
  name: 'skill',
  title: 'Skills',
  description: 'What an agent has learnt to do: instructions and the files that go with them.',
  tools: [listSkills, readSkill],
})

/** Every pack that is built in. */
export const packs: readonly Pack[] = [skillPack]

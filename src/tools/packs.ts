import { definePack } from '../core/define-pack.ts'
import type { Pack } from '../core/kernel/tool.ts'
import { spawnAgents } from './agents/spawn-agents.ts'
import { listSkills } from './skill/list-skills.ts'
import { readSkill } from './skill/read-skill.ts'
import { callAnyTool } from './tools/call-tool.ts'
import { describeTools } from './tools/describe-tools.ts'
import { searchTools } from './tools/search-tools.ts'

const skillPack = definePack({
  name: 'skill',
  title: 'Skills',
  description: 'Skills of an agent: instructions and the files that go with them.',
  tools: [listSkills, readSkill],
})

const toolsPack = definePack({
  name: 'tools',
  title: 'Tools',
  description: 'Finding and calling tools where there are too many to list.',
  tools: [searchTools, describeTools, callAnyTool],
})

const agentsPack = definePack({
  name: 'agents',
  title: 'Agents',
  description: 'Agents that send out others.',
  tools: [spawnAgents],
})

/** Every pack that is built in. */
export const packs: readonly Pack[] = [skillPack, toolsPack, agentsPack]

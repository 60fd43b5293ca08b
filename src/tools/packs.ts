import { definePack } from '../core/define-pack.ts'
import type { Pack } from '../core/kernel/tool.ts'
import { spawnAgents } from './agents/spawn-agents.ts'
import { changeIssue } from './github/change-issue.ts'
import { getIssue } from './github/get-issue.ts'
import { listIssues } from './github/list-issues.ts'
import { getUrl } from './http/get-url.ts'
import { requestUrl } from './http/request-url.ts'
import { listSkills } from './skill/list-skills.ts'
import { readSkill } from './skill/read-skill.ts'
import { callAnyTool } from './tools/call-tool.ts'
import { describeTools } from './tools/describe-tools.ts'
import { searchTools } from './tools/search-tools.ts'
import { extractPages } from './web/extract-pages.ts'
import { fetchPage } from './web/fetch-page.ts'
import { searchWeb } from './web/search-web.ts'

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

const webPack = definePack({
  name: 'web',
  title: 'Web',
  description: 'Searching the public web and reading its pages.',
  groups: ['web'],
  tools: [fetchPage, searchWeb, extractPages],
})

const httpPack = definePack({
  name: 'http',
  title: 'HTTP',
  description: 'Calling any HTTP API, with credentials that the server adds.',
  optIn: true,
  groups: ['web'],
  tools: [getUrl, requestUrl],
})

const githubPack = definePack({
  name: 'github',
  title: 'GitHub',
  description: 'Issues on GitHub.',
  optIn: true,
  groups: ['github'],
  tools: [changeIssue, getIssue, listIssues],
})

/** Every pack that is built in. */
export const packs: readonly Pack[] = [
  skillPack,
  toolsPack,
  agentsPack,
  webPack,
  httpPack,
  githubPack,
]

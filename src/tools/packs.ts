import { definePack } from '../core/define-pack.ts'
import type { Pack } from '../core/kernel/tool.ts'
import { manageTools } from './admin/manage-tools.ts'
import { spawnAgents } from './agents/spawn-agents.ts'
import { changeIssue } from './github/change-issue.ts'
import { changePullRequest } from './github/change-pull-request.ts'
import { getIssue } from './github/get-issue.ts'
import { getPullRequest } from './github/get-pull-request.ts'
import { listIssues } from './github/list-issues.ts'
import { listPullRequests } from './github/list-pull-requests.ts'
import { runCode } from './code/run-code.ts'
import { askPeople } from './flow/ask-people.ts'
import { fail } from './flow/fail.ts'
import { map } from './flow/map.ts'
import { startTool } from './flow/start-tool.ts'
import { wait } from './flow/wait.ts'
import { getUrl } from './http/get-url.ts'
import { requestUrl } from './http/request-url.ts'
import { deleteFile } from './file/delete-file.ts'
import { editFile } from './file/edit-file.ts'
import { globFiles } from './file/glob-files.ts'
import { grepFiles } from './file/grep-files.ts'
import { listFiles } from './file/list-files.ts'
import { moveFile } from './file/move-file.ts'
import { readFile } from './file/read-file.ts'
import { writeFile } from './file/write-file.ts'
import { cloneRepository } from './git/clone-repository.ts'
import { commitChanges } from './git/commit-changes.ts'
import { diffChanges } from './git/diff-changes.ts'
import { logCommits } from './git/log-commits.ts'
import { pullCommits } from './git/pull-commits.ts'
import { pushCommits } from './git/push-commits.ts'
import { repositoryStatus } from './git/repository-status.ts'
import { switchBranch } from './git/switch-branch.ts'
import { killProcess } from './process/kill-process.ts'
import { processOutput } from './process/process-output.ts'
import { processStatus } from './process/process-status.ts'
import { startProcess } from './process/start-process.ts'
import { writeProcess } from './process/write-process.ts'
import { execCommand } from './shell/exec-command.ts'
import { listSkills } from './skill/list-skills.ts'
import { readSkill } from './skill/read-skill.ts'
import { systemInfo } from './system/system-info.ts'
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

const adminPack = definePack({
  name: 'admin',
  title: 'Administration',
  description: 'Tools with which agents make tools. Every change asks a person.',
  optIn: true,
  tools: [manageTools],
})

const codePack = definePack({
  name: 'code',
  title: 'Code',
  description: 'Programs of agents that call tools, several at once or in a loop.',
  optIn: true,
  tools: [runCode],
})

const flowPack = definePack({
  name: 'flow',
  title: 'Flow',
  description: 'Steps that compositions are made of, beside calls of other tools.',
  tools: [askPeople, wait, startTool, fail, map],
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
  description: 'Issues and pull requests on GitHub.',
  optIn: true,
  groups: ['github'],
  tools: [changeIssue, getIssue, listIssues, changePullRequest, getPullRequest, listPullRequests],
})

const filePack = definePack({
  name: 'file',
  title: 'Files',
  description: 'The files of the session: reading, searching and changing them.',
  tools: [readFile, listFiles, globFiles, grepFiles, writeFile, editFile, moveFile, deleteFile],
})

const shellPack = definePack({
  name: 'shell',
  title: 'Shell',
  description: 'Commands in the sandbox.',
  optIn: true,
  tools: [execCommand],
})

const processPack = definePack({
  name: 'process',
  title: 'Processes',
  description: 'Background processes in the sandbox, such as a development server.',
  optIn: true,
  tools: [startProcess, processStatus, processOutput, writeProcess, killProcess],
})

const gitPack = definePack({
  name: 'git',
  title: 'Git',
  description: 'Git repositories in the workspace: cloning, changing and pushing them.',
  optIn: true,
  tools: [
    cloneRepository,
    repositoryStatus,
    diffChanges,
    logCommits,
    switchBranch,
    commitChanges,
    pullCommits,
    pushCommits,
  ],
})

const systemPack = definePack({
  name: 'system',
  title: 'System',
  description: 'Facts about the surroundings of an agent.',
  tools: [systemInfo],
})

/** Every pack that is built in. */
export const packs: readonly Pack[] = [
  skillPack,
  toolsPack,
  agentsPack,
  adminPack,
  codePack,
  flowPack,
  webPack,
  httpPack,
  githubPack,
  filePack,
  shellPack,
  processPack,
  gitPack,
  systemPack,
]

import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { fromRepository, repositoryField } from './git-fields.ts'
import { runGit, toGitError } from './run-git.ts'
import { changeKinds, parseStatus } from './status/parse-status.ts'

const most = 500
const args = ['--no-optional-locks', 'status', '--porcelain=v2', '--branch', '-z']
const kind = z.enum(changeKinds).describe('What happened to it').nullable()

/** The branch and the changes of a repository. */
export const repositoryStatus = defineTool({
  name: 'git.status',
  title: 'Status of a repository',
  aliases: ['gitStatus'],
  description:
    'See what has changed in a repository of the workspace: its branch, how far it is ahead of its upstream, and the files that are staged, changed or untracked. To see the changes themselves use git.diff; git.commit takes them all.',
  icon: 'checklist',
  effect: 'read',
  openWorld: false,
  timeoutMs: 90_000,
  maxOutputBytes: 131_072,
  labels: fromRepository,
  inputSchema: z.object({ path: repositoryField }),
  outputSchema: z.object({
    branch: z.string().min(1).nullable().describe('Null if no branch is checked out'),
    commit: z.string().min(1).nullable().describe('Null before the first commit'),
    upstream: z.string().min(1).nullable(),
    ahead: z.int().min(0).nullable().describe('Commits that the upstream lacks'),
    behind: z.int().min(0).nullable().describe('Commits that only the upstream has'),
    isClean: z.boolean(),
    changes: z.array(
      z.object({
        path: z.string(),
        from: z.string().min(1).nullable(),
        staged: kind,
        unstaged: kind,
      }),
    ),
    isPartial: z.boolean().describe('There are more changes than these'),
  }),
  examples: [{ label: 'A cloned repository', input: { path: 'Hello-World' } }],
  sections: [{ key: 'changes', label: 'Changes', type: 'table' }],

  async execute({ path }, { processes }) {
    const result = await runGit(processes, { args, cwd: path })
    if (result.exitCode !== 0) throw toGitError(args, result)
    const { changes, ...state } = parseStatus(result.stdout)
    return {
      ...state,
      isClean: changes.length === 0,
      changes: changes.slice(0, most),
      isPartial: result.isCut || changes.length > most,
    }
  },
})

import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import type { Processes } from '../../core/kernel/context/processes.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { authorOptions, toAuthorEnv } from './commit-author.ts'
import { branchField, repositoryField } from './git-fields.ts'
import { assertNoMerge, mergeCommit, undoMerge } from './merge-commit.ts'
import { fetchBranch } from './remote/fetch-branch.ts'
import { gitSecrets, toAuthorization } from './remote/git-credential.ts'
import { openGitRelay, remoteOptions } from './remote/git-relay.ts'
import { rememberRemote } from './remote/push-branch.ts'
import { addressField, parseAddress } from './remote/repository-address.ts'
import { git, runGit } from './run-git.ts'
import { conflictKinds } from './status/read-conflicts.ts'

const most = 500
const pullResults = ['up to date', 'fast-forward', 'merged', 'conflicts'] as const

/** Gets the commits of others and merges them. */
export const pullCommits = defineTool({
  name: 'git.pull',
  title: 'Pull commits',
  description:
    'Get the commits that others have pushed to a branch, and merge them into what is checked out. Commit your own changes first. Conflicts are a result: edit the listed files until no lines with <<<<<<<, ======= and >>>>>>> are left, delete those that are no longer needed, and finish the merge with git.commit. Set ifConflicts to undo to learn about conflicts without changing files.',
  icon: 'download',
  effect: 'write',
  idempotent: false,
  openWorld: true,
  timeoutMs: 1_860_000,
  maxOutputBytes: 131_072,
  secrets: gitSecrets,
  optionsSchema: remoteOptions.extend(authorOptions.shape),
  inputSchema: z.object({
    url: addressField,
    path: repositoryField,
    branch: branchField
      .nullable()
      .describe('The branch of the server; null for the name of the one checked out'),
    ifConflicts: z
      .enum(['keep', 'undo'])
      .default('keep')
      .describe('Keep a merge with conflicts, to resolve them, or undo it'),
  }),
  outputSchema: z.object({
    url: z.string(),
    branch: z.string(),
    result: z.enum(pullResults),
    commit: z.string().min(1).nullable().describe('The commit that is checked out now'),
    commits: z.int().describe('Commits of the server that were not here'),
    conflicts: z.array(z.object({ path: z.string(), change: z.enum(conflictKinds) })),
    isPartial: z.boolean().describe('There are more conflicts than these'),
  }),
  examples: [
    {
      label: 'After a rejected push',
      input: {
        url: 'https://github.com/octocat/Hello-World.git',
        path: 'Hello-World',
        branch: null,
        ifConflicts: 'keep',
      },
    },
  ],
  sections: [{ key: 'conflicts', label: 'Conflicts', type: 'table' }],

  async execute({ url, path, branch: named, ifConflicts }, context) {
    const { processes, web, secrets, options } = context
    const address = parseAddress(url)
    const branch = named ?? (await findBranch(processes, path))
    const local = { processes, path, branch }
    await assertNoMerge(local)
    const authorization = toAuthorization(address, secrets)
    const limits = options
    const relay = openGitRelay({ address, service: 'git-upload-pack', authorization, limits, web })
    const timeoutMs = options.timeoutSeconds * 1000
    const fetched = await fetchBranch({ ...local, relay, timeoutMs })
    await rememberRemote(local, address, fetched)
    const before = await readHead(processes, path)
    const message = `Merge branch '${branch}' of ${address.href}`
    const env = toAuthorEnv(options)
    const conflicts = await mergeCommit({ ...local, commit: fetched, message, env })
    if (conflicts.length > 0 && ifConflicts === 'undo') await undoMerge(local)
    const commit = await readHead(processes, path)
    const result = conflicts.length > 0 ? 'conflicts' : toResult({ before, commit, fetched })
    return {
      url: address.href,
      branch,
      result,
      commit,
      commits: await countCommits(local, before, fetched),
      conflicts: conflicts.slice(0, most),
      isPartial: conflicts.length > most,
    }
  },
})

async function findBranch(processes: Processes, cwd: string | null): Promise<string> {
  await git(processes, { cwd, args: ['rev-parse', '--git-dir'] })
  const head = await runGit(processes, { cwd, args: ['symbolic-ref', '--short', '-q', 'HEAD'] })
  if (head.exitCode === 0) return head.stdout.trim()
  throw new ToolError('invalid_input', 'No branch is checked out', {
    fix: 'Name the branch of the server, or switch to a branch with git.branch.',
  })
}

async function readHead(processes: Processes, cwd: string | null): Promise<string | null> {
  const head = await runGit(processes, { cwd, args: ['rev-parse', '--verify', '-q', 'HEAD'] })
  return head.exitCode === 0 ? head.stdout.trim() : null
}

interface Heads {
  before: string | null
  commit: string | null
  fetched: string
}

function toResult({ before, commit, fetched }: Heads): (typeof pullResults)[number] {
  if (commit === before) return 'up to date'
  return commit === fetched ? 'fast-forward' : 'merged'
}

async function countCommits(
  { processes, path: cwd }: { processes: Processes; path: string | null },
  before: string | null,
  fetched: string,
): Promise<number> {
  const range = before === null ? fetched : `${before}..${fetched}`
  return Number(await git(processes, { cwd, args: ['rev-list', '--count', range] }))
}

import type { ToolPreview } from '../../../core/kernel/trial/tool-preview.ts'
import { git, runGit } from '../run-git.ts'
import { findSource, type LocalBranch } from './push-branch.ts'
import type { RepositoryAddress } from './repository-address.ts'

/** Names of commits are shown as git abbreviates them. */
const shortDigits = 12
const mostCommits = 200

/**
 * The commits that a push would send, by what this repository knows of the server: nothing is asked
 * over the network, so the server may know some of them already.
 */
export async function previewPush(
  local: LocalBranch,
  address: RepositoryAddress,
): Promise<ToolPreview> {
  const { commit } = await findSource(local)
  const known = await findKnown(local, address)
  const commits = await listCommits(local, commit, known)
  const move = {
    target: `${local.branch} on ${address.href}`,
    ...(known !== undefined && { before: known.slice(0, shortDigits) }),
    after: commit.slice(0, shortDigits),
  }
  const summary = commits.length === 1 ? '1 commit' : `${commits.length} commits`
  return {
    summary: `Pushes ${summary} to ${local.branch} of ${address.href}.`,
    changes: [move, ...commits.slice(0, mostCommits)],
    count: commits.length + 1,
    ...(known === undefined && {
      warnings: ['This repository does not know where the branch is on the server now.'],
    }),
  }
}

/** Where the branch was on the server when this repository last heard of it. */
async function findKnown(
  { processes, path: cwd, branch }: LocalBranch,
  { href }: RepositoryAddress,
): Promise<string | undefined> {
  const origin = await runGit(processes, { cwd, args: ['config', '--get', 'remote.origin.url'] })
  if (origin.stdout.trim() !== href) return undefined
  const args = ['rev-parse', '--verify', '--quiet', `refs/remotes/origin/${branch}^{commit}`]
  const found = await runGit(processes, { cwd, args })
  return found.exitCode === 0 ? found.stdout.trim() : undefined
}

async function listCommits(
  { processes, path: cwd }: LocalBranch,
  commit: string,
  known: string | undefined,
) {
  const without = known === undefined ? ['--not', '--remotes'] : [`^${known}`]
  const format = '--format=%H%n%an%n%aI%n%s'
  const args = ['log', '-z', '--no-show-signature', '--no-color', format, commit, ...without, '--']
  const text = await git(processes, { cwd, args })
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [hash = '', author = '', date = '', subject = ''] = entry.split('\n')
      return { target: hash.slice(0, shortDigits), after: `${subject} (${author}, ${date})` }
    })
}

import type { Processes } from '../../core/kernel/context/processes.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { git, type GitResult, runGit, toGitError } from './run-git.ts'
import { type FileConflict, readConflicts } from './status/read-conflicts.ts'

export interface Merge {
  processes: Processes
  /** The folder of the repository. */
  path: string | null
  commit: string
  message: string
  /** The author of a merge commit. */
  env: Record<string, string>
}

/** Settings of a repository may ask for anything else; these are what this merge means. */
const options = [
  '--quiet',
  '--commit',
  '--ff',
  '--no-squash',
  '--no-edit',
  '--no-stat',
  '--no-verify',
  '--no-verify-signatures',
  '--no-gpg-sign',
  '--no-autostash',
  '--strategy=ort',
]

/** Merges a commit into what is checked out; the conflicts it stopped at, if any. */
export async function mergeCommit(merge: Merge): Promise<FileConflict[]> {
  const { processes, path: cwd, commit, message, env } = merge
  const args = ['-c', 'rerere.enabled=false', 'merge', ...options, '-m', message, commit]
  const result = await runGit(processes, { cwd, env, args })
  if (result.exitCode === 0) return []
  const conflicts = await readConflicts(processes, cwd)
  if (conflicts.length === 0) throw toMergeError(args, result)
  return conflicts
}

/** Takes a merge that stopped at conflicts back. */
export async function undoMerge({ processes, path }: Pick<Merge, 'processes' | 'path'>) {
  await git(processes, { cwd: path, args: ['merge', '--abort'] })
}

/** Throws `conflict` if an earlier merge waits for its conflicts to be resolved. */
export async function assertNoMerge({ processes, path }: Pick<Merge, 'processes' | 'path'>) {
  if (!(await isMerging(processes, path))) return
  throw new ToolError('conflict', 'An earlier merge is not finished', {
    fix: 'Resolve the conflicts that git.status lists, and finish the merge with git.commit.',
  })
}

export async function isMerging(processes: Processes, cwd: string | null): Promise<boolean> {
  const args = ['rev-parse', '--quiet', '--verify', 'MERGE_HEAD']
  return (await runGit(processes, { cwd, args })).exitCode === 0
}

function toMergeError(args: readonly string[], result: GitResult): ToolError {
  if (/would be overwritten by merge|local changes/.test(result.stderr)) {
    const message = 'Changes that are not committed are in the way of the commits of the server'
    return new ToolError('conflict', message, {
      fix: 'Commit them with git.commit, then call git.pull again.',
    })
  }
  if (/unrelated histories/.test(result.stderr)) {
    const message = 'The branch of the server and this one have no commit in common here'
    return new ToolError('conflict', message, {
      fix: 'If the repository was cloned with depth, clone it again with depth null.',
    })
  }
  return toGitError(args, result)
}

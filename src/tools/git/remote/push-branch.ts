import { ToolError } from '../../../core/kernel/errors.ts'
import type { Processes } from '../../../core/kernel/context/processes.ts'
import { git, type GitResult, runGit } from '../run-git.ts'
import type { GitRelay } from './git-relay.ts'
import type { RepositoryAddress } from './repository-address.ts'

/** A branch of a repository in the workspace. */
export interface LocalBranch {
  processes: Processes
  /** The folder of the repository. */
  path: string | null
  branch: string
}

export interface BranchSource {
  commit: string
  /** The absolute folder of its objects, inside the sandbox. */
  folder: string
}

/** The commit that a branch is at. Throws `not_found`. */
export async function findSource({ processes, path, branch }: LocalBranch): Promise<BranchSource> {
  const folder = await git(processes, {
    cwd: path,
    args: ['rev-parse', '--path-format=absolute', '--git-common-dir'],
  })
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`]
  const commit = await runGit(processes, { cwd: path, args })
  if (commit.exitCode !== 0) {
    throw new ToolError('not_found', `The repository has no branch ${branch}, or no commit on it`, {
      fix: 'git.branch lists the branches.',
    })
  }
  return { commit: commit.stdout.trim(), folder: folder.replace(/\n$/, '') }
}

/**
 * Pushes from an empty repository beside it that borrows its objects: the settings of the real one
 * are written by others, and could send the push to another server than was approved.
 */
const script = `
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" init --quiet --bare --template= "$folder"
mkdir -p "$folder/objects/info"
printf '%s\\n' "$SOURCE/objects" > "$folder/objects/info/alternates"
if [ -f "$SOURCE/shallow" ]; then cp "$SOURCE/shallow" "$folder/shallow"; fi
"$@" -C "$folder" push --porcelain "$TARGET" "$REFSPEC"
`

export interface Push extends LocalBranch {
  source: BranchSource
  relay: GitRelay
  timeoutMs: number
}

export function pushBranch({ processes, path, branch, source, relay, timeoutMs }: Push) {
  return runGit(processes, {
    script,
    args: ['push'],
    cwd: path,
    env: {
      SOURCE: source.folder,
      TARGET: relay.url,
      REFSPEC: `${source.commit}:refs/heads/${branch}`,
    },
    relays: relay.relays,
    timeoutMs,
  }) satisfies Promise<GitResult>
}

/**
 * As a push by name would do: the branch follows the one it was pushed to, if the repository was
 * cloned from there. The push has succeeded already, so a failure here is ignored.
 */
export async function rememberPush(
  local: LocalBranch,
  address: RepositoryAddress,
  commit: string,
): Promise<void> {
  if (!(await rememberRemote(local, address, commit))) return
  const { processes, path: cwd, branch } = local
  const args = ['branch', '--quiet', `--set-upstream-to=origin/${branch}`, branch]
  await runGit(processes, { cwd, args })
}

/** Notes where a branch of the server is, if the repository was cloned from there. */
export async function rememberRemote(
  { processes, path: cwd, branch }: LocalBranch,
  { href }: RepositoryAddress,
  commit: string,
): Promise<boolean> {
  const origin = await runGit(processes, { cwd, args: ['config', '--get', 'remote.origin.url'] })
  if (origin.stdout.trim() !== href) return false
  await runGit(processes, { cwd, args: ['update-ref', `refs/remotes/origin/${branch}`, commit] })
  return true
}

import { ToolError } from '../../../core/kernel/errors.ts'
import { git, runGit, toGitError } from '../run-git.ts'
import type { GitRelay } from './git-relay.ts'
import type { LocalBranch } from './push-branch.ts'

/**
 * Fetches into an empty repository beside it that has the objects of the real one: the settings of
 * the real one are written by others, and could send the request to another server. It gets the
 * branches too, so that the server sends only what is missing.
 */
const script = `
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" init --quiet --bare --template= "$folder"
if [ -f "$SOURCE/shallow" ]; then cp "$SOURCE/shallow" "$folder/shallow"; fi
"$@" --git-dir "$SOURCE" for-each-ref --format='create %(refname) %(objectname)' \\
  refs/heads refs/remotes > "$folder/branches"
export GIT_OBJECT_DIRECTORY="$SOURCE/objects"
"$@" -C "$folder" update-ref --stdin < "$folder/branches" 2> /dev/null || true
"$@" -C "$folder" fetch --quiet --no-tags --no-write-fetch-head "$TARGET" \\
  "+refs/heads/$BRANCH:refs/toolcrib/fetched"
"$@" -C "$folder" rev-parse refs/toolcrib/fetched
`

export interface Fetch extends LocalBranch {
  relay: GitRelay
  timeoutMs: number
}

/** Fetches a branch and returns its commit, whose objects are in the repository then. */
export async function fetchBranch(fetch: Fetch): Promise<string> {
  const { processes, path: cwd, branch, relay, timeoutMs } = fetch
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir']
  const folder = await git(processes, { cwd, args })
  const result = await runGit(processes, {
    script,
    args: ['fetch'],
    cwd,
    env: { SOURCE: folder.replace(/\n$/, ''), TARGET: relay.url, BRANCH: branch },
    relays: relay.relays,
    timeoutMs,
  })
  if (result.exitCode === 0) return result.stdout.trim()
  if (/couldn't find remote ref/.test(result.stderr)) {
    throw new ToolError('not_found', `The server has no branch ${branch}`, {
      fix: 'Name a branch that the server has; git.push creates this one.',
    })
  }
  throw relay.failure() ?? toGitError(['fetch'], result)
}

import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { branchField, repositoryField } from './git-fields.ts'
import { gitSecrets, toAuthorization } from './remote/git-credential.ts'
import { openGitRelay, remoteOptions } from './remote/git-relay.ts'
import { addressField, parseAddress } from './remote/repository-address.ts'
import { previewPush } from './remote/preview-push.ts'
import { parsePush, pushResults } from './remote/parse-push.ts'
import { findSource, pushBranch, rememberPush } from './remote/push-branch.ts'
import { toGitError } from './run-git.ts'

/** Sends a branch to a repository elsewhere. */
export const pushCommits = defineTool({
  name: 'git.push',
  title: 'Push commits',
  aliases: ['gitPush'],
  description:
    'Send the commits of a branch to a repository on a git server, after a person has approved it. Give the address of the repository, as for git.clone: it is what the person approves, whatever the settings of the repository say. Commit first with git.commit. Nothing is ever overwritten there: a branch with commits that are not here is refused until git.pull has merged them.',
  icon: 'upload',
  effect: 'destructive',
  openWorld: true,
  approval: 'always',
  timeoutMs: 1_860_000,
  labels: { effects: 'external' },
  secrets: gitSecrets,
  optionsSchema: remoteOptions,
  inputSchema: z.object({
    url: addressField,
    path: repositoryField,
    branch: branchField.describe('The branch to push, to the branch of the same name'),
  }),
  outputSchema: z.object({
    url: z.string(),
    branch: z.string(),
    commit: z.string(),
    result: z.enum(pushResults),
  }),
  examples: [
    {
      label: 'A branch for review',
      input: {
        url: 'https://github.com/octocat/Hello-World.git',
        path: 'Hello-World',
        branch: 'feature/greeting',
      },
    },
  ],

  preview: ({ url, path, branch }, { processes }) =>
    previewPush({ processes, path, branch }, parseAddress(url)),

  async execute({ url, path, branch }, { processes, web, secrets, options }) {
    const address = parseAddress(url)
    const local = { processes, path, branch }
    const source = await findSource(local)
    const relay = openGitRelay({
      address,
      service: 'git-receive-pack',
      authorization: toAuthorization(address, secrets),
      limits: options,
      web,
    })
    const timeoutMs = options.timeoutSeconds * 1000
    const result = await pushBranch({ ...local, source, relay, timeoutMs })
    const outcome = parsePush(result.stdout)
    if (outcome?.result === 'rejected') throw toRejection(branch, outcome.reason)
    if (outcome === undefined || result.exitCode !== 0) {
      throw relay.failure() ?? toGitError(['push'], result)
    }
    await rememberPush(local, address, source.commit)
    return { url: address.href, branch, commit: source.commit, result: outcome.result }
  },
})

function toRejection(branch: string, reason: string): ToolError {
  if (/fetch first|non-fast-forward|stale info/.test(reason)) {
    return new ToolError('conflict', `The server has commits on ${branch} that are not here`, {
      fix: 'Call git.pull to merge them, then push again, or push to a branch with a new name.',
    })
  }
  return new ToolError('upstream_failed', `The server rejected ${branch}: ${reason}`, {
    retryable: false,
  })
}

import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import type { CallContext } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { Workspace } from '../../core/kernel/context/workspace.ts'
import { branchField } from './git-fields.ts'
import { gitSecrets, toAuthorization } from './remote/git-credential.ts'
import { type GitRelay, openGitRelay, remoteOptions } from './remote/git-relay.ts'
import { addressField, parseAddress } from './remote/repository-address.ts'
import { runGit, toGitError } from './run-git.ts'

/** Copies a repository into the workspace. */
export const cloneRepository = defineTool({
  name: 'git.clone',
  title: 'Clone a repository',
  aliases: ['gitClone'],
  description:
    'Copy a git repository from its http(s) address into a new folder of the workspace. Set depth to 1 when you need no history: it is much faster. Then look around with file.list and file.grep. Submodules and files of Git LFS are not fetched. Do not put a token into the address.',
  icon: 'git-branch',
  effect: 'write',
  idempotent: false,
  openWorld: true,
  timeoutMs: 1_860_000,
  secrets: gitSecrets,
  optionsSchema: remoteOptions,
  inputSchema: z.object({
    url: addressField,
    path: z
      .string()
      .min(1)
      .max(4096)
      .nullable()
      .describe('The new folder, relative to the workspace; null for the name of the repository'),
    branch: branchField
      .nullable()
      .describe('The branch or tag to start with; null for its usual one'),
    depth: z.int().min(1).nullable().describe('Only this many commits; null for all'),
  }),
  outputSchema: z.object({
    path: z.string(),
    url: z.string(),
    branch: z.string().min(1).nullable(),
    commit: z.string().min(1).nullable().describe('Null for a repository without commits'),
  }),
  examples: [
    {
      label: 'Without history',
      input: {
        url: 'https://github.com/octocat/Hello-World.git',
        path: null,
        branch: null,
        depth: 1,
      },
    },
  ],

  async execute({ url, path, branch, depth }, context) {
    const { workspace, secrets, options, web } = context
    const address = parseAddress(url)
    const folder = path ?? address.name
    if ((await workspace.stat(folder)) !== undefined) {
      throw new ToolError('conflict', `${folder} exists already in the workspace`, {
        fix: 'Name another folder in path, or delete it first.',
      })
    }
    const authorization = toAuthorization(address, secrets)
    const limits = options
    const relay = openGitRelay({ address, service: 'git-upload-pack', authorization, limits, web })
    await clone({ url: address.href, folder, branch, depth }, relay, context)
    return { path: folder, url: address.href, ...(await readHead(folder, context)) }
  },
})

interface Wanted {
  url: string
  folder: string
  branch: string | null
  depth: number | null
}

async function clone(
  { url, folder, branch, depth }: Wanted,
  relay: GitRelay,
  { processes, workspace, options }: Pick<CallContext, 'processes' | 'workspace' | 'options'>,
): Promise<void> {
  const args = [
    // The address in the repository's settings stays the real one.
    '-c',
    `url.${relay.url}.insteadOf=${url}`,
    // Any other git must treat links in the same way, or it would report them as changed.
    'clone',
    '--template=',
    '--config',
    'core.symlinks=false',
    '--quiet',
    ...(depth === null ? [] : ['--depth', `${depth}`]),
    ...(branch === null ? [] : ['--branch', branch]),
    '--',
    url,
    folder,
  ]
  const timeoutMs = Number(options['timeoutSeconds']) * 1000
  try {
    const result = await runGit(processes, { args, relays: relay.relays, timeoutMs })
    if (result.exitCode !== 0) throw relay.failure() ?? toGitError(args, result)
  } catch (error) {
    await removeRest(workspace, folder)
    throw error
  }
}

/** Removes the files of a clone that did not finish. */
async function removeRest(workspace: Workspace, folder: string): Promise<void> {
  try {
    await workspace.delete(folder, { recursive: true })
  } catch (error) {
    if (!isToolError(error)) throw error
  }
}

async function readHead(cwd: string, { processes }: Pick<CallContext, 'processes'>) {
  const commit = await runGit(processes, { cwd, args: ['rev-parse', '--verify', '-q', 'HEAD'] })
  const branch = await runGit(processes, { cwd, args: ['symbolic-ref', '--short', '-q', 'HEAD'] })
  const toName = (text: string) => (text.trim() === '' ? null : text.trim())
  return { branch: toName(branch.stdout), commit: toName(commit.stdout) }
}

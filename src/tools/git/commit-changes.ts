import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { repositoryField } from './git-fields.ts'
import { git, runGit, toGitError } from './run-git.ts'

/** Characters that would end a name in a commit. */
const name = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^<>\n\0]+$/, { error: 'must not contain < or >' })
const email = z
  .string()
  .min(3)
  .max(200)
  .regex(/^[^<>\s\0]+@[^<>\s\0]+$/, { error: 'must be an address' })

/** Records changes in a repository. */
export const commitChanges = defineTool({
  name: 'git.commit',
  title: 'Commit changes',
  description:
    'Record changes of a repository of the workspace as a commit: all of them, new and deleted files too, or only the files you name. Look at them first with git.status and git.diff. The first line of the message says what the commit does, in at most 72 characters. Nothing leaves the workspace until git.push.',
  icon: 'git-commit',
  effect: 'write',
  idempotent: false,
  openWorld: false,
  timeoutMs: 120_000,
  labels: { effects: 'local' },
  optionsSchema: z.object({
    authorName: name.default('Toolcrib').describe('The author of commits'),
    authorEmail: email.default('toolcrib@localhost').describe('The mail address of the author'),
  }),
  inputSchema: z.object({
    path: repositoryField,
    message: z.string().min(1).max(20_000).describe('What the commit does'),
    files: z
      .array(z.string().min(1).max(4096))
      .min(1)
      .max(500)
      .describe('Only these files and folders, relative to the repository; null for all changes')
      .nullable(),
    authorName: name.describe('The author; null for the one that the operator set').nullable(),
    authorEmail: email.describe('The mail address of the author').nullable(),
  }),
  outputSchema: z.object({
    commit: z.string(),
    branch: z.string().min(1).nullable(),
    subject: z.string(),
    files: z.int().describe('Files changed'),
    added: z.int().describe('Lines added'),
    removed: z.int().describe('Lines removed'),
  }),
  examples: [
    {
      label: 'Everything that changed',
      input: {
        path: 'Hello-World',
        message: 'Correct the greeting',
        files: null,
        authorName: null,
        authorEmail: null,
      },
    },
  ],

  async execute({ path: cwd, message, files, authorName, authorEmail }, { processes, options }) {
    await git(processes, { cwd, args: ['add', '--all', '--', ...(files ?? ['.'])] })
    const staged = await runGit(processes, { cwd, args: ['diff', '--cached', '--quiet'] })
    if (staged.exitCode === 0) {
      throw new ToolError('conflict', 'There is nothing to commit', {
        fix: 'Change a file first. git.status shows what has changed.',
      })
    }
    if (staged.exitCode !== 1) throw toGitError(['diff'], staged)
    const author = {
      NAME: authorName ?? options.authorName,
      EMAIL: authorEmail ?? options.authorEmail,
    }
    const env = Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((role) =>
        Object.entries(author).map(([field, value]) => [`GIT_${role}_${field}`, value]),
      ),
    )
    const args = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--file=-']
    await git(processes, { cwd, env, args, stdin: message })
    const shown = ['--format=%H%n%s', '--numstat', '--no-ext-diff', '--no-textconv']
    const text = await git(processes, { cwd, args: ['show', '--no-show-signature', ...shown] })
    const branch = await runGit(processes, { cwd, args: ['symbolic-ref', '--short', '-q', 'HEAD'] })
    const on = branch.stdout.trim()
    return { ...readCommit(text), branch: on === '' ? null : on }
  },
})

function readCommit(text: string) {
  const [commit = '', subject = '', ...rest] = text.split('\n')
  const counts = rest.flatMap((line) => {
    const [, added = '', removed = ''] = /^(\d+|-)\t(\d+|-)\t/.exec(line) ?? []
    // A binary file has dashes.
    return added === '' ? [] : [{ added: Number(added) || 0, removed: Number(removed) || 0 }]
  })
  return {
    commit,
    subject,
    files: counts.length,
    added: counts.reduce((sum, { added }) => sum + added, 0),
    removed: counts.reduce((sum, { removed }) => sum + removed, 0),
  }
}

import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import type { Processes } from '../../core/kernel/context/processes.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { authorFields, authorOptions, toAuthorEnv } from './commit-author.ts'
import { repositoryField } from './git-fields.ts'
import { isMerging } from './merge-commit.ts'
import { git, runGit, toGitError } from './run-git.ts'
import { readConflicts } from './status/read-conflicts.ts'

/** Records changes in a repository. */
export const commitChanges = defineTool({
  name: 'git.commit',
  title: 'Commit changes',
  aliases: ['gitCommit'],
  description:
    'Record changes of a repository of the workspace as a commit: all of them, new and deleted files too, or only the files you name. Look at them first with git.status and git.diff. Summarize the commit in the first line of the message, in at most 72 characters. It also finishes a merge of git.pull whose conflicts you have resolved. Nothing leaves the workspace until git.push.',
  icon: 'git-commit',
  effect: 'write',
  idempotent: false,
  openWorld: false,
  timeoutMs: 120_000,
  labels: { effects: 'local' },
  optionsSchema: authorOptions,
  inputSchema: z.object({
    path: repositoryField,
    message: z.string().min(1).max(20_000).describe('What the commit does'),
    files: z
      .array(z.string().min(1).max(4096))
      .min(1)
      .max(500)
      .describe('Only these files and folders, relative to the repository; null for all changes')
      .nullable(),
    ...authorFields,
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
    const merging = await isMerging(processes, cwd)
    if (merging) await assertResolved(processes, cwd)
    await git(processes, { cwd, args: ['add', '--all', '--', ...(files ?? ['.'])] })
    const staged = await runGit(processes, { cwd, args: ['diff', '--cached', '--quiet'] })
    // A merge is a commit also where it keeps every file as it is.
    if (staged.exitCode === 0 && !merging) {
      throw new ToolError('conflict', 'There is nothing to commit', {
        fix: 'Change a file first. git.status shows what has changed.',
      })
    }
    if (staged.exitCode > 1) throw toGitError(['diff'], staged)
    const env = toAuthorEnv({
      authorName: authorName ?? options.authorName,
      authorEmail: authorEmail ?? options.authorEmail,
    })
    const args = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--file=-']
    await git(processes, { cwd, env, args, stdin: message })
    const shown = [
      '--format=%H%n%s',
      '--numstat',
      '--no-ext-diff',
      '--no-textconv',
      '-m',
      '--first-parent',
    ]
    const text = await git(processes, { cwd, args: ['show', '--no-show-signature', ...shown] })
    const branch = await runGit(processes, { cwd, args: ['symbolic-ref', '--short', '-q', 'HEAD'] })
    const on = branch.stdout.trim()
    return { ...readCommit(text), branch: on === '' ? null : on }
  },
})

/** Throws `conflict` if a file still has the lines between which a merge puts both versions. */
async function assertResolved(processes: Processes, cwd: string | null): Promise<void> {
  const conflicts = await readConflicts(processes, cwd)
  if (conflicts.length === 0) return
  const marked = ['grep', '-l', '-z', '-I', '-E', '^(<<<<<<<|>>>>>>>)( |$)']
  const root = (await git(processes, { cwd, args: ['rev-parse', '--show-cdup'] })).trim()
  const paths = conflicts.map(({ path }) => `${root}${path}`)
  const found = await runGit(processes, { cwd, args: [...marked, '--', ...paths] })
  if (found.exitCode > 1) throw toGitError(['grep'], found)
  const [first] = found.stdout.split('\0')
  if (first === undefined || first === '') return
  throw new ToolError('conflict', `Conflicts of the merge are not resolved in ${first}`, {
    fix: 'Edit the file until no lines with <<<<<<<, ======= and >>>>>>> are left.',
  })
}

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

import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { fromRepository, repositoryField, revisionField } from './git-fields.ts'
import { git } from './run-git.ts'

const most = 200
const usual = 20

/** The history of a repository. */
export const logCommits = defineTool({
  name: 'git.log',
  title: 'Show the history',
  aliases: ['gitLog'],
  description:
    'List the latest commits of a repository of the workspace, newest first: hash, author, date and subject. Name a branch, tag or commit to start elsewhere, or a file to see only the commits that changed it. To see what a commit changed use git.diff from its parent (hash~1) to its hash.',
  icon: 'git-commit',
  effect: 'read',
  openWorld: false,
  timeoutMs: 90_000,
  maxOutputBytes: 131_072,
  labels: fromRepository,
  inputSchema: z.object({
    path: repositoryField,
    from: revisionField.describe('Where to start; null for what is checked out').nullable(),
    file: z
      .string()
      .min(1)
      .max(4096)
      .nullable()
      .describe('Only commits that changed this, relative to the repository'),
    limit: z.int().min(1).max(most).nullable().describe(`Commits to list (${usual})`),
  }),
  outputSchema: z.object({
    commits: z.array(
      z.object({
        commit: z.string(),
        author: z.string(),
        email: z.string(),
        date: z.string(),
        subject: z.string(),
      }),
    ),
  }),
  examples: [
    {
      label: 'The last five',
      input: { path: 'Hello-World', from: null, file: null, limit: 5 },
    },
  ],
  sections: [{ key: 'commits', label: 'Commits', type: 'table' }],

  async execute({ path, from, file, limit }, { processes }) {
    const args = [
      'log',
      '-z',
      '--no-show-signature',
      '--no-color',
      '--no-mailmap',
      '--format=%H%n%an%n%ae%n%aI%n%s',
      `--max-count=${limit ?? usual}`,
      '--end-of-options',
      from ?? 'HEAD',
      '--',
      ...(file === null ? [] : [file]),
    ]
    const text = await git(processes, { args, cwd: path })
    const entries = text.split('\0').filter((entry) => entry !== '')
    return {
      commits: entries.map((entry) => {
        const [commit = '', author = '', email = '', date = '', subject = ''] = entry.split('\n')
        return { commit, author, email, date, subject }
      }),
    }
  },
})

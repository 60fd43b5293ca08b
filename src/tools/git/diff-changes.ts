import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { artifactField } from '../artifact-field.ts'
import { fromRepository, repositoryField, revisionField } from './git-fields.ts'
import { runGit, toGitError } from './run-git.ts'

const maxShownBytes = 98_304
const maxBytes = 8 * 1_048_576

/** The changes in a repository, or between two of its commits. */
export const diffChanges = defineTool({
  name: 'git.diff',
  title: 'Show changes',
  aliases: ['gitDiff'],
  description:
    'Show the changes in a repository of the workspace as a unified diff: what is not staged yet, with staged what the next commit has, with from what changed since that commit, with from and to between two. New files are shown once they are staged; git.status lists them. Name files to see less.',
  icon: 'git-compare',
  effect: 'read',
  openWorld: false,
  timeoutMs: 90_000,
  maxOutputBytes: 262_144,
  labels: fromRepository,
  inputSchema: z.object({
    path: repositoryField,
    staged: z.boolean().default(false).describe('The changes that the next commit has'),
    from: revisionField.describe('A branch, tag or commit to compare with').nullable(),
    to: revisionField.describe('The other one; null for the files as they are').nullable(),
    files: z
      .array(z.string().min(1).max(4096))
      .max(100)
      .describe('Only these files and folders, relative to the repository; null for all')
      .nullable(),
  }),
  outputSchema: z.object({
    diff: z.string(),
    files: z.int().describe('Files that differ'),
    truncated: z.boolean(),
    artifact: artifactField,
  }),
  examples: [
    {
      label: 'What is not committed',
      input: { path: 'Hello-World', staged: false, from: 'HEAD', to: null, files: null },
    },
  ],
  sections: [{ key: 'diff', label: 'Difference', type: 'diff' }],

  async execute({ path, staged, from, to, files }, { processes, artifacts }) {
    const what = ['--end-of-options', ...[from, to].filter((revision) => revision !== null)]
    const args = [
      '--no-optional-locks',
      'diff',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      ...(staged ? ['--cached'] : []),
      ...(from === null ? [] : what),
      '--',
      ...(files ?? []),
    ]
    const result = await runGit(processes, { args, cwd: path, maxOutputBytes: maxBytes })
    if (result.exitCode !== 0) throw toGitError(args, result)
    const { stdout, isCut } = result
    const diff = cutToLine(stdout, maxShownBytes)
    const truncated = isCut || diff.length < stdout.length
    const bytes = new TextEncoder().encode(stdout)
    const file = { name: 'changes.diff', mediaType: 'text/x-diff', bytes }
    return {
      diff,
      files: stdout.match(/^diff --(?:git|cc|combined) /gm)?.length ?? 0,
      truncated,
      artifact: truncated ? toArtifact(await artifacts.save(file)) : null,
    }
  },
})

function toArtifact({ id, bytes, mediaType }: { id: string; bytes: number; mediaType: string }) {
  return { id, bytes, mediaType }
}

function cutToLine(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return text.slice(0, text.lastIndexOf('\n', maxChars) + 1)
}

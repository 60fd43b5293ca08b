import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { changeFields, fromWorkspace, inWorkspace, pathField } from './file-fields.ts'

/** Creates a text file, or replaces it. */
export const writeFile = defineTool({
  name: 'file.write',
  title: 'Write a file',
  aliases: ['write_file', 'writeFile'],
  description:
    'Create a text file in the workspace, with the folders above it. A file that exists is only replaced with overwrite; use file.edit to change a part of it. The answer shows the difference.',
  icon: 'file-plus',
  effect: 'write',
  // Without overwrite, a second time is a conflict.
  idempotent: false,
  openWorld: false,
  maxOutputBytes: 131_072,
  labels: { ...fromWorkspace, ...inWorkspace },
  inputSchema: z.object({
    path: pathField.describe('The file, relative to the workspace'),
    content: z.string().max(4_000_000).describe('All of its text'),
    overwrite: z.boolean().default(false).describe('Replace the file if it exists'),
  }),
  outputSchema: changeFields,
  examples: [
    {
      label: 'A new file',
      input: { path: 'notes/todo.md', content: '# To do\n', overwrite: false },
    },
  ],
  sections: [{ key: 'diff', label: 'Difference', type: 'diff' }],

  async preview({ path, content, overwrite }, { workspace }) {
    const { readForDiff } = await import('./text/file-change.ts')
    const { previewChange } = await import('./text/preview-change.ts')
    const before = await readForDiff(path, workspace)
    const isRefused = before !== undefined && !overwrite
    const warnings = isRefused
      ? [`${path} exists, so the call will be refused without overwrite.`]
      : []
    return previewChange({ path, before, after: content, warnings })
  },
  async undo(_input, output, { workspace }) {
    const { undoChange } = await import('./text/undo-change.ts')
    return undoChange(output, workspace)
  },

  async execute({ path, content, overwrite }, { workspace }) {
    const { readForDiff, toChange } = await import('./text/file-change.ts')
    const before = overwrite ? await readForDiff(path, workspace) : undefined
    const entry = await workspace.write(path, content, { overwrite })
    return toChange({ path: entry.path, bytes: entry.bytes, before, after: content })
  },
})

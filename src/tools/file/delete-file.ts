import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { inWorkspace, pathField } from './file-fields.ts'

/** Deletes a file or a folder. */
export const deleteFile = defineTool({
  name: 'file.delete',
  title: 'Delete a file',
  aliases: ['delete_file', 'deleteFile'],
  description:
    'Delete a file of the workspace, or a folder: one that is not empty only with recursive. It cannot be undone. List a folder first with file.list when you are not sure what is in it.',
  icon: 'trash',
  effect: 'destructive',
  openWorld: false,
  labels: inWorkspace,
  inputSchema: z.object({
    path: pathField.describe('The file or folder, relative to the workspace'),
    recursive: z.boolean().default(false).describe('Also everything in the folder'),
  }),
  outputSchema: z.object({ path: z.string(), isDeleted: z.boolean() }),
  examples: [{ label: 'One file', input: { path: 'notes/old.md', recursive: false } }],

  async execute({ path, recursive }, { workspace }) {
    await workspace.delete(path, { recursive })
    return { path, isDeleted: true }
  },
})

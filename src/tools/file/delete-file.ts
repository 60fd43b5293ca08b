import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import type { WorkspaceEntry } from '../../core/kernel/context/workspace.ts'
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

  async preview({ path, recursive }, { workspace }) {
    const found = await workspace.stat(path)
    if (found === undefined) {
      return { summary: `There is no ${path}, so the call will be refused.`, changes: [] }
    }
    const target = (entry: WorkspaceEntry) => ({
      target: entry.path,
      before: entry.kind === 'folder' ? 'folder' : `${entry.bytes} bytes`,
    })
    if (found.kind !== 'folder') return { summary: `Deletes ${path}.`, changes: [target(found)] }
    const { entries, isPartial } = await workspace.list(path, { recursive: true, limit: 10_000 })
    const warnings = [
      ...(isPartial ? ['There are more than 10,000 files and folders in it.'] : []),
      ...(entries.length > 0 && !recursive
        ? ['The folder is not empty, so the call will be refused without recursive.']
        : []),
    ]
    return {
      summary: `Deletes the folder ${path} with ${entries.length} files and folders.`,
      changes: [target(found), ...entries.map(target)],
      ...(warnings.length > 0 && { warnings }),
    }
  },

  async execute({ path, recursive }, { workspace }) {
    await workspace.delete(path, { recursive })
    return { path, isDeleted: true }
  },
})

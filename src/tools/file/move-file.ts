import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { entryFields, inWorkspace, pathField, toEntry } from './file-fields.ts'

/** Moves or renames a file or a folder. */
export const moveFile = defineTool({
  name: 'file.move',
  title: 'Move a file',
  aliases: ['move_file', 'moveFile'],
  description:
    'Move or rename a file or folder of the workspace; folders above the new place are created. A file that is there already is only replaced with overwrite. Give the full new path, not only the folder.',
  icon: 'file',
  effect: 'write',
  idempotent: false,
  openWorld: false,
  labels: inWorkspace,
  inputSchema: z.object({
    from: pathField.describe('The file or folder, relative to the workspace'),
    to: pathField.describe('Its new path, relative to the workspace'),
    overwrite: z.boolean().default(false).describe('Replace a file that is there'),
  }),
  outputSchema: entryFields,
  examples: [
    { label: 'Rename', input: { from: 'notes/a.md', to: 'notes/b.md', overwrite: false } },
  ],

  async execute({ from, to, overwrite }, { workspace }) {
    return toEntry(await workspace.move(from, to, { overwrite }))
  },
})

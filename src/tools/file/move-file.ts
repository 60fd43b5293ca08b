import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'
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

  async preview({ from, to, overwrite }, { workspace }) {
    const isThere = (await workspace.stat(to)) !== undefined
    const warning = overwrite ? `It replaces ${to}.` : `${to} exists, so the call will be refused.`
    return {
      summary: `Moves ${from} to ${to}.`,
      changes: [{ target: from, before: from, after: to }],
      ...(isThere && { warnings: [warning] }),
    }
  },
  async undo({ from, to, overwrite }, output, { workspace }) {
    if (overwrite) throw new ToolError('conflict', `The move may have replaced a file at ${to}`)
    const entry = await workspace.stat(to)
    const isSame = entry?.kind === output.kind && entry.bytes === output.bytes
    if (!isSame) throw new ToolError('conflict', `${to} has changed since it was moved`)
    return toEntry(await workspace.move(to, from))
  },

  async execute({ from, to, overwrite }, { workspace }) {
    return toEntry(await workspace.move(from, to, { overwrite }))
  },
})

import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import {
  entryFields,
  folderField,
  fromWorkspace,
  hintField,
  partialHint,
  toEntry,
} from './file-fields.ts'

const most = 200

/** The entries of a folder. */
export const listFiles = defineTool({
  name: 'file.list',
  title: 'List files',
  aliases: ['list_directory', 'list_dir'],
  description:
    'List the files and folders of the workspace, or of one of its folders, at most 200. Start here to see what there is. To find files by name use file.glob, by content file.grep.',
  icon: 'folder',
  effect: 'read',
  openWorld: false,
  labels: fromWorkspace,
  inputSchema: z.object({
    path: folderField,
    recursive: z.boolean().default(false).describe('Also what is in the folders below'),
    limit: z.int().min(1).max(most).nullable().describe(`Entries to list (${most})`),
  }),
  outputSchema: z.object({
    entries: z.array(entryFields),
    isPartial: z.boolean(),
    hint: hintField,
  }),
  examples: [
    { label: 'What is there', input: { path: null, recursive: false, limit: null } },
    { label: 'All of a folder', input: { path: 'src', recursive: true, limit: null } },
  ],
  sections: [{ key: 'entries', label: 'Files', type: 'table' }],

  async execute({ path, recursive, limit }, { workspace }) {
    const { entries, isPartial } = await workspace.list(path ?? '.', {
      recursive,
      limit: limit ?? most,
    })
    const hint = recursive
      ? 'There are more: list one folder at a time, or use file.glob with a pattern like src/**/*.ts.'
      : 'There are more: use file.glob with a pattern like *.ts.'
    return { entries: entries.map(toEntry), isPartial, hint: partialHint(isPartial, hint) }
  },
})

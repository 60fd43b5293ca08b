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

const most = 500
const usual = 200

/** Finds files by their path. */
export const globFiles = defineTool({
  name: 'file.glob',
  title: 'Find files',
  aliases: ['glob_files', 'file_search'],
  description:
    'Find files of the workspace by a pattern of their path: **/*.test.ts, src/**/*.{ts,tsx}, docs/*.md. * stands for anything but /, ** for any folders, ? for one character. To find files by what is in them use file.grep.',
  icon: 'file-search',
  effect: 'read',
  openWorld: false,
  maxOutputBytes: 131_072,
  labels: fromWorkspace,
  inputSchema: z.object({
    pattern: z.string().min(1).max(1024).describe('The pattern, relative to path'),
    path: folderField,
    limit: z.int().min(1).max(most).nullable().describe(`Files to find (${usual})`),
  }),
  outputSchema: z.object({
    entries: z.array(entryFields),
    isPartial: z.boolean(),
    hint: hintField,
  }),
  examples: [
    { label: 'All tests', input: { pattern: '**/*.test.ts', path: null, limit: null } },
    { label: 'In one folder', input: { pattern: '*.{md,txt}', path: 'docs', limit: 50 } },
  ],
  sections: [{ key: 'entries', label: 'Files', type: 'table' }],

  async execute({ pattern, path, limit }, { workspace }) {
    const { entries, isPartial } = await workspace.glob(pattern, {
      ...(path !== null && { path }),
      limit: limit ?? usual,
    })
    const hint = 'There are more: name a folder in path, or use a narrower pattern.'
    return { entries: entries.map(toEntry), isPartial, hint: partialHint(isPartial, hint) }
  },
})

import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { changeFields, fromWorkspace, inWorkspace, pathField } from './file-fields.ts'

const snippet = z.string().max(1_000_000)

/** Replaces one part of a text file. */
export const editFile = defineTool({
  name: 'file.edit',
  title: 'Edit a file',
  aliases: ['edit_file', 'editFile'],
  description:
    'Replace a part of a text file. Read the file first and copy the text to search for exactly, with its indentation and enough lines around it that it occurs only once; or set replaceAll. The answer shows the difference. If nothing matches, the error shows the nearest text.',
  icon: 'pencil',
  effect: 'write',
  idempotent: false,
  openWorld: false,
  maxOutputBytes: 131_072,
  labels: { ...fromWorkspace, ...inWorkspace },
  inputSchema: z.object({
    path: pathField.describe('The file, relative to the workspace'),
    search: snippet.min(1).describe('The exact text to replace; no pattern'),
    replace: snippet.describe('The text to put there; empty to delete'),
    replaceAll: z.boolean().default(false).describe('Replace every occurrence'),
  }),
  outputSchema: changeFields.extend({ replacements: z.int() }),
  examples: [
    {
      label: 'Rename a constant',
      input: { path: 'src/main.ts', search: 'maxItems', replace: 'maxRows', replaceAll: true },
    },
  ],
  sections: [{ key: 'diff', label: 'Difference', type: 'diff' }],

  async preview({ path, search, replace, replaceAll }, { workspace }) {
    const { replaceText } = await import('./text/replace-text.ts')
    const { previewChange } = await import('./text/preview-change.ts')
    const before = new TextDecoder().decode((await workspace.read(path)).bytes)
    const { after } = replaceText(before, { path, search, replace, replaceAll })
    return previewChange({ path, before, after })
  },
  async undo(_input, output, { workspace }) {
    const { undoChange } = await import('./text/undo-change.ts')
    return undoChange(output, workspace)
  },

  async execute({ path, search, replace, replaceAll }, { workspace }) {
    const { toChange } = await import('./text/file-change.ts')
    const { replaceText } = await import('./text/replace-text.ts')
    let last = { before: '', after: '', replacements: 0 }
    const entry = await workspace.edit(path, (before) => {
      last = { before, ...replaceText(before, { path, search, replace, replaceAll }) }
      return last.after
    })
    const { before, after, replacements } = last
    const change = toChange({ path: entry.path, bytes: entry.bytes, before, after })
    return { ...change, replacements }
  },
})

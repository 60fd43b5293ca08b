import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { folderField, fromWorkspace, hintField, partialHint } from './file-fields.ts'

const most = 500
const usual = 100
/** Of one line: minified files have lines of megabytes. */
const maxLineChars = 500

/** Finds lines by what is in them. */
export const grepFiles = defineTool({
  name: 'file.grep',
  title: 'Search in files',
  aliases: ['grep_files', 'grep_search', 'search_file_content'],
  description:
    'Find lines in the files of the workspace by a regular expression (RE2: no lookaround, no backreferences). Escape characters that mean something, such as \\( and \\. Narrow the search with path or with files, like **/*.ts. Then read the places with file.read and offset.',
  icon: 'search',
  effect: 'read',
  openWorld: false,
  maxOutputBytes: 262_144,
  labels: fromWorkspace,
  inputSchema: z.object({
    pattern: z.string().min(1).max(1024).describe('The regular expression, for one line'),
    path: folderField,
    files: z.string().min(1).max(1024).nullable().describe('Only files that match this glob'),
    ignoreCase: z.boolean().default(false).describe('Upper and lower case are the same'),
    limit: z.int().min(1).max(most).nullable().describe(`Lines to find (${usual})`),
  }),
  outputSchema: z.object({
    matches: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
    filesRead: z.int(),
    isPartial: z.boolean(),
    hint: hintField,
  }),
  examples: [
    {
      label: 'Where a function is used',
      input: {
        pattern: 'parseInput\\(',
        path: 'src',
        files: '**/*.ts',
        ignoreCase: false,
        limit: null,
      },
    },
  ],
  sections: [{ key: 'matches', label: 'Matches', type: 'table' }],

  async execute({ pattern, path, files, ignoreCase, limit }, { workspace, signal }) {
    const { matches, isPartial, filesRead } = await workspace.grep({
      pattern,
      ignoreCase,
      limit: limit ?? usual,
      signal,
      ...(path !== null && { path }),
      ...(files !== null && { files }),
    })
    const hint = 'There are more: name a folder in path, a glob in files, or a longer pattern.'
    return {
      matches: matches.map(({ path, line, text }) => ({
        path,
        line,
        text: text.slice(0, maxLineChars),
      })),
      filesRead,
      isPartial,
      hint: partialHint(isPartial, hint),
    }
  },
})

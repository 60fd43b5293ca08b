import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { artifactField } from '../artifact-field.ts'
import { fromWorkspace, pathField } from './file-fields.ts'

const maxReadLines = 2000
const lineCount = z.int().min(1).max(maxReadLines).nullable()

/** Reads a text file by lines, a picture as such, and other files as an artifact. */
export const readFile = defineTool({
  name: 'file.read',
  title: 'Read a file',
  aliases: ['read_file', 'readFile'],
  description:
    'Read a text file of the workspace, up to 2000 lines at once. Find it first with file.glob or file.grep when you do not know its path. Long files come in parts: read on with offset, or the end with tail. Pictures (PNG, JPEG, GIF, WebP) are shown; other binary files are kept as an artifact. Read a file before you edit it.',
  icon: 'file-text',
  effect: 'read',
  openWorld: false,
  maxOutputBytes: 1_048_576,
  labels: fromWorkspace,
  inputSchema: z.object({
    path: pathField.describe('The file, relative to the workspace'),
    encoding: z
      .enum(['text', 'base64'])
      .describe('base64 keeps bytes of any kind as an artifact')
      .nullable(),
    offset: z.int().min(1).nullable().describe('The first line to read, counted from 1'),
    limit: lineCount.describe('Lines to read (2000)'),
    tail: lineCount.describe('Read this many lines from the end instead'),
  }),
  outputSchema: z.object({
    path: z.string(),
    text: z.string(),
    firstLine: z.int().describe('The number of the first line of text'),
    lines: z.int().describe('Lines in text'),
    totalLines: z.int().min(0).nullable().describe('Null for a file that is not text'),
    truncated: z.boolean().describe('Lines after these are missing'),
    bytes: z.int().describe('Size of the whole file'),
    hint: z.string().min(1).nullable().describe('How to read the rest'),
    artifact: artifactField,
  }),
  examples: [
    {
      label: 'Read a file',
      input: { path: 'src/main.ts', encoding: null, offset: null, limit: null, tail: null },
    },
    {
      label: 'The end of a log',
      input: { path: 'build.log', encoding: null, offset: null, limit: null, tail: 50 },
    },
  ],
  sections: [{ key: 'text', label: 'Text', type: 'code' }],

  async execute({ path, encoding, offset, limit, tail }, { workspace, artifacts, signal }) {
    const { readAsFile, readAsPicture } = await import('./text/read-as-file.ts')
    if (encoding === 'base64') return readAsFile(path, { workspace, artifacts })
    const { readLines } = await import('./text/read-lines.ts')
    const page = await readLines(path, { workspace, signal, offset, limit, tail })
    return page ?? readAsPicture(path, { workspace, artifacts })
  },
})

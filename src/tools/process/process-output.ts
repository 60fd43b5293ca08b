import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { pidField } from './process-fields.ts'

const usualBytes = 32_768

/** Reads the output of a background process. */
export const processOutput = defineTool({
  name: 'process.output',
  title: 'Output of a process',
  description:
    'Read what a background process has written to stdout or stderr, in pages: pass next as offset to read only what is new. Old output is dropped when there is much of it. Call it again later if the process has not written what you wait for.',
  icon: 'terminal-2',
  effect: 'read',
  openWorld: false,
  maxOutputBytes: 131_072,
  labels: { reads: ['untrusted'] },
  inputSchema: z.object({
    pid: pidField,
    stream: z.enum(['stdout', 'stderr']).default('stdout').describe('Which of its outputs'),
    offset: z.int().min(0).nullable().describe('The byte to read from (0)'),
    maxBytes: z.int().min(256).max(65_536).nullable().describe(`Bytes to read (${usualBytes})`),
  }),
  outputSchema: z.object({
    text: z.string(),
    next: z.int().describe('Where to read on'),
    dropped: z.int().describe('Bytes before this text that are no longer kept'),
    isEnd: z.boolean().describe('The process has ended and this is all of it'),
  }),
  examples: [
    {
      label: 'From the start',
      input: { pid: 1, stream: 'stdout', offset: null, maxBytes: null },
    },
  ],
  sections: [{ key: 'text', label: 'Output', type: 'terminal' }],

  async execute({ pid, stream, offset, maxBytes }, { processes }) {
    const page = { stream, offset: offset ?? 0, maxBytes: maxBytes ?? usualBytes }
    const { text, next, dropped, isEnd } = await processes.output(pid, page)
    return { text, next, dropped, isEnd }
  },
})

import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { pidField } from './process-fields.ts'

/** Writes to the input of a background process. */
export const writeProcess = defineTool({
  name: 'process.write',
  title: 'Write to a process',
  description:
    'Write text to the standard input of a background process, such as an answer or a command. End it with a line break where the process reads lines. Then read what it answers with process.output.',
  icon: 'message',
  effect: 'destructive',
  openWorld: true,
  labels: { effects: 'external' },
  inputSchema: z.object({
    pid: pidField,
    text: z.string().min(1).max(65_536).describe('Written as it is, with its line breaks'),
  }),
  outputSchema: z.object({ pid: z.int(), bytes: z.int() }),
  examples: [{ label: 'Answer yes', input: { pid: 1, text: 'yes\n' } }],

  async execute({ pid, text }, { processes }) {
    await processes.write(pid, text)
    return { pid, bytes: new TextEncoder().encode(text).length }
  },
})

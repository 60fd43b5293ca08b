import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { pidField, processFields, toProcess } from './process-fields.ts'

/** Ends a background process. */
export const killProcess = defineTool({
  name: 'process.kill',
  title: 'End a process',
  description:
    'End a background process and all that it started: asked to end first (SIGTERM), and killed two seconds later. With a signal, only that one is sent; SIGINT is what Ctrl+C sends. Its output can still be read with process.output.',
  icon: 'player-stop',
  effect: 'write',
  idempotent: true,
  openWorld: false,
  labels: { effects: 'local' },
  inputSchema: z.object({
    pid: pidField,
    signal: z
      .enum(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP'])
      .describe('Only this signal; null ends it')
      .nullable(),
  }),
  outputSchema: processFields,
  examples: [{ label: 'End it', input: { pid: 1, signal: null } }],

  async execute({ pid, signal }, { processes }) {
    return toProcess(await processes.kill(pid, signal ?? undefined))
  },
})

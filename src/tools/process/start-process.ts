import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { decidePrograms } from '../../core/sandbox/decide-programs.ts'
import { commandOptions } from '../shell/command/command-options.ts'
import { processFields, toProcess } from './process-fields.ts'

/** Starts a command in the sandbox without waiting for it. */
export const startProcess = defineTool({
  name: 'process.start',
  title: 'Start a process',
  description:
    'Start a command in the sandbox that continues in the background: a development server, a watcher, a long build. Read what it writes with process.output, and end it with process.kill. It ends with the session at the latest. For a command whose result you wait for use shell.exec.',
  icon: 'play',
  effect: 'destructive',
  openWorld: true,
  labels: { effects: 'external' },
  optionsSchema: commandOptions,
  inputSchema: z.object({
    command: z.string().min(1).max(65_536).describe('The command line, for bash'),
    cwd: z
      .string()
      .min(1)
      .max(4096)
      .nullable()
      .describe('The folder to run it in, relative to the workspace; null for its root'),
  }),
  outputSchema: processFields,
  examples: [{ label: 'A development server', input: { command: 'npm run dev', cwd: null } }],

  async execute({ command, cwd }, { processes, options }) {
    const status = await processes.start({
      command: decidePrograms(command, options),
      ...(cwd !== null && { cwd }),
    })
    return toProcess(status)
  },
})

import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { processOperations } from './process-operations.ts'
import type { sandboxOperations } from './operations.ts'
import { processColumns, sandboxFacts } from './terminal.ts'

/** `toolcrib sandbox`. */
export const sandboxCommand: CommandGroup<typeof sandboxOperations> = {
  name: 'sandbox',
  one: 'sandbox',
  summary: 'Show whether the sandbox for programs holds, and check it again.',
  commands: {
    readSandbox: { verb: 'show', record: sandboxFacts },
    checkSandbox: { verb: 'check', record: sandboxFacts },
  },
  notes: ['Tools that run programs are off (sandbox_unavailable) unless every check has passed.'],
  examples: ['toolcrib sandbox', 'toolcrib sandbox check'],
}

/** `toolcrib processes`. */
export const processCommand: CommandGroup<typeof processOperations> = {
  name: 'processes',
  one: 'process',
  summary: 'List, read and end background processes of a workspace.',
  commands: {
    listProcesses: {
      verb: 'list',
      words: ['id'],
      options: { id: { flag: 'workspace' } },
      list: processColumns,
      empty: 'No background processes of this workspace on this server.',
    },
    readProcessOutput: {
      verb: 'output',
      words: ['id', 'pid'],
      options: { id: { flag: 'workspace' } },
      prints: ({ text }) => text,
      says: ({ next, isEnd }) => (isEnd ? 'That is all.' : `--offset ${next} reads on.`),
    },
    killProcess: {
      verb: 'kill',
      words: ['id', 'pid'],
      options: { id: { flag: 'workspace' } },
      says: ({ pid, state }) => `Process ${pid} is ${state}`,
    },
  },
  notes: ['toolcrib workspaces lists the ids of workspaces.'],
  examples: [
    'toolcrib processes list ws_0190c1a2b3c4d5e6f708192a3b4c5d6e',
    'toolcrib processes output ws_0190c1a2b3c4d5e6f708192a3b4c5d6e 1 --stream stderr',
  ],
}

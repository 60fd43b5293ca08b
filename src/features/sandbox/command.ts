import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { sandboxOperations } from './operations.ts'
import { sandboxFacts } from './terminal.ts'

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
  examples: ['toolcrib sandbox show', 'toolcrib sandbox check'],
}

import { ToolError } from '../../../core/kernel/errors.ts'
import type { RawCommand } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { showCommandHelp } from '../command-help.ts'

/** `toolcrib bench`: hands its words to the benchmark, which has options of its own. */
export const benchCommand: RawCommand = {
  summary: 'Measure this installation against plain code, in one run.',
  usage: ['bench [part …] [--json] [--strict] [--brief]'],
  options: {},
  async runRaw({ environment, screen, args }) {
    if (args.includes('--help') || args.includes('-h')) {
      showCommandHelp(screen, benchCommand)
      return exit.ok
    }
    if (environment.bench !== undefined) return environment.bench(args)
    throw new ToolError('not_found', 'The benchmarks are not part of the installed package.', {
      fix: 'Clone the repository and run npm run bench there.',
    })
  },
}

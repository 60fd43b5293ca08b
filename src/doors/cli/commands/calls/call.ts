import { callLineOptions, callOptions, connectionOptions } from '../../call/call-options.ts'
import { findConnectionHints } from '../../call/connection-hints.ts'
import { watchStoredCall } from '../../call/watch-stored-call.ts'
import type { RawCommand, RawContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { showCommandHelp } from '../../command-help.ts'
import { parseOptions, splitAtFirstWord, toOptionValues, usageError } from '../../parse-options.ts'
import { runCommand } from '../../run-command.ts'

/** `toolcrib call`: use a tool, with flags made from its input schema. */
export const callCommand: RawCommand = {
  summary: 'Call a tool. Its flags come from its input schema: toolcrib call <tool> --help',
  usage: [
    'call [options] <tool> [--input JSON|@FILE|-] [--field value …]',
    'call --watch <callId>',
  ],
  options: callOptions,
  firstWord: 'tools',
  notes: [
    'Repeat a flag for a list; write --parent.child for an object, --list.0.name for an item, --flag or --no-flag for a boolean.',
    "After the tool's name, flags named like its fields belong to the tool; after --, all flags do. --json, --help and --input belong to Toolcrib.",
    'A field for a file takes --field @path; a large file is uploaded first (/api/v1/uploads).',
    'With --json stdout contains only the result of the call, and nothing if the request was refused before a call existed.',
  ],
  examples: [
    'toolcrib call hello.greet --name Ada --times 2',
    `echo '{"name":"Ada"}' | toolcrib call hello.greet --input -`,
    'toolcrib call demo.table-summary --table @orders.csv',
    'toolcrib call --watch call_0199…',
  ],
  runRaw: runCallLine,
}

async function runCallLine({ environment, screen, args }: RawContext): Promise<number> {
  const { before, word: target, after } = splitAtFirstWord(args, callLineOptions)
  const certain = parseOptions(before, callLineOptions)
  if (target === undefined || certain.options.flag('help')) {
    if (!certain.options.flag('help')) {
      throw certain.options.flag('watch')
        ? usageError(
            'call --watch needs the id of a call, or the name of a tool and its input.',
            'toolcrib calls shows recent calls, toolcrib tools lists the tools.',
          )
        : usageError('call needs the name of a tool.', 'toolcrib tools lists them.')
    }
    showCommandHelp(screen, callCommand)
    return exit.ok
  }
  if (certain.options.flag('watch') && isCallId(target)) {
    const { options } = parseOptions([...before, ...after], callLineOptions)
    const run = watchStoredCall(target)
    return runCommand({ run }, { environment, screen, words: [target], options })
  }
  const hints = await findConnectionHints(after, environment)
  for (const name of connectionOptions) if (certain.values.has(name)) hints.delete(name)
  const options = toOptionValues(new Map([...certain.values, ...hints]))
  const { callNamedTool } = await import('../../call/call-named-tool.ts')
  const run = callNamedTool({ name: target, after, certain: certain.values, hints })
  return runCommand({ run }, { environment, screen, words: [target], options })
}

/** As `createId('call')` makes them; no tool is called like that. */
function isCallId(word: string): boolean {
  return /^call_[0-9a-z]*$/i.test(word)
}

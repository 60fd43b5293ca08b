import type { Command, RawCommand } from './command.ts'
import { showCommandHelp } from './command-help.ts'
import { commandTable } from './command-table.ts'
import type { CliEnvironment } from './environment.ts'
import { exit } from './exit-codes.ts'
import { showHelp } from './help.ts'
import { didYouMean } from './nearest-names.ts'
import { createScreen, type Screen } from './output/screen.ts'
import { everywhereOptions, parseOptions, splitAtFirstWord, usageError } from './parse-options.ts'
import { runCommand } from './run-command.ts'
import { showError } from './show-error.ts'

/**
 * Runs one command line and returns the exit code; never rejects. The caller ends the process once
 * the streams are flushed: a second Ctrl-C returns while work is still running.
 */
export async function runCli(
  argv: readonly string[],
  environment: CliEnvironment,
): Promise<number> {
  // Words after `--` belong to the tool.
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const screen = createScreen(environment, {
    json: own.includes('--json'),
    color: !own.includes('--no-color'),
  })
  try {
    const code = await dispatch(argv, environment, screen)
    await screen.drained()
    return code
  } catch (error) {
    // A command that was stopped because its output was closed has not failed.
    if (screen.closed.aborted) return exit.ok
    return showError(screen, error, environment.env)
  }
}

async function dispatch(
  argv: readonly string[],
  environment: CliEnvironment,
  screen: Screen,
): Promise<number> {
  // Options may precede the command's name.
  const { before, word: name, after } = splitAtFirstWord(argv, everywhereOptions)
  if (name === undefined) return runWithoutCommand(before, environment, screen)
  if (name === 'complete')
    return (await import('./complete.ts')).complete(after, environment, screen)
  if (name === 'help') return showHelpOf(after[0], environment, screen)
  const command = await findCommand(name)
  const args = [...before, ...after]
  if ('runRaw' in command) return command.runRaw({ environment, screen, args })
  const { words, options } = parseOptions(args, { ...everywhereOptions, ...command.options })
  if (options.flag('help')) {
    showCommandHelp(screen, command, words[0])
    return exit.ok
  }
  if (words.length > command.maxWords) {
    const extra = words.slice(command.maxWords).join(' ')
    throw usageError(`Too many words: ${extra}`, `Usage: toolcrib ${command.usage.join(' | ')}`)
  }
  return runCommand(command, { environment, screen, words, options })
}

/** The command of this name, or an error that names the nearest ones. */
export async function findCommand(name: string): Promise<Command | RawCommand> {
  const entry = Object.hasOwn(commandTable, name) ? commandTable[name] : undefined
  if (entry !== undefined) return entry.load()
  const known = Object.keys(commandTable)
  throw usageError(
    `There is no command ${name}.`,
    didYouMean(name, known) ?? `Commands: ${known.join(', ')}. See toolcrib --help.`,
  )
}

function runWithoutCommand(
  leading: readonly string[],
  environment: CliEnvironment,
  screen: Screen,
): number {
  const { options } = parseOptions(leading, {
    ...everywhereOptions,
    version: { type: 'boolean', short: 'V', summary: 'show the version' },
  })
  if (options.flag('version')) {
    if (screen.isJson) screen.json({ version: environment.version })
    else screen.out(environment.version)
    return exit.ok
  }
  showHelp(screen, environment.version)
  // With --help, help is the answer; otherwise the command is missing.
  return options.flag('help') ? exit.ok : exit.usage
}

async function showHelpOf(
  name: string | undefined,
  environment: CliEnvironment,
  screen: Screen,
): Promise<number> {
  if (name === undefined) showHelp(screen, environment.version)
  else showCommandHelp(screen, await findCommand(name))
  return exit.ok
}

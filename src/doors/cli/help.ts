import { showPairs, showSection, toOptionPairs } from './command-help.ts'
import { commandTable } from './command-table.ts'
import { exit } from './exit-codes.ts'
import type { Screen } from './output/screen.ts'
import { everywhereOptions } from './parse-options.ts'

/** The help of the whole program. */
export function showHelp(screen: Screen, version: string): void {
  screen.out(`${screen.style('bold', 'toolcrib')} ${version}: tools for agents and people`)
  showSection(screen, 'Usage', ['toolcrib <command> [options]'])
  const commands = Object.entries(commandTable)
  showPairs(
    screen,
    'Commands',
    commands.map(([name, { summary }]) => [name, summary]),
  )
  showPairs(screen, 'Options', [
    ...toOptionPairs(everywhereOptions),
    ['-V, --version', 'show the version'],
  ])
  showPairs(screen, 'Exit codes', exitCodePairs)
  showSection(screen, 'More', ['toolcrib <command> --help', 'toolcrib call <tool> --help'])
}

const exitCodePairs: readonly (readonly [string, string])[] = [
  [String(exit.ok), 'it worked'],
  [String(exit.failed), 'it failed, or check and doctor found errors'],
  [String(exit.usage), 'wrong usage or invalid input'],
  [String(exit.denied), 'denied: no key, no permission, or a person rejected it'],
  [String(exit.notFound), 'tool, call or other thing not found'],
  [String(exit.stopped), 'timed out or cancelled'],
  [String(exit.unavailable), 'server, store or data folder not available'],
  [String(exit.setup), 'invalid setup: configuration, secret, master key'],
]

import type { ToolDetail } from '../../../core/tools/tool-listing.ts'
import { showPairs, showSection } from '../command-help.ts'
import { toSafeLine, toSafeText } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { callOptions } from './call-options.ts'
import { flagsOf } from './describe-flags.ts'
import { alwaysOwn } from './parse-flags.ts'
import { toCallCommand } from './to-call-command.ts'

/** The help of one tool: its flags, types, defaults, examples and effect. */
export function showCallHelp(screen: Screen, tool: ToolDetail): void {
  const flags = flagsOf(tool.inputSchema)
  screen.out(
    `${screen.style('bold', toSafeLine(tool.name))}: ${toSafeLine(tool.title)} (${tool.effect})`,
  )
  showSection(screen, 'Description', toSafeText(tool.description).split('\n'))
  showSection(screen, 'Usage', [`toolcrib call ${tool.name} [flags] [--input JSON|@FILE|-]`])
  if (flags.length > 0) {
    showPairs(
      screen,
      'Flags',
      flags.map(({ flag, type, isRequired, description, defaultText }) => {
        const facts = [type, isRequired ? 'needed' : '', defaultText ?? ''].filter(
          (fact) => fact !== '',
        )
        return [
          toSafeLine(`--${flag}`),
          toSafeLine(`${description} (${facts.join(', ')})`.trim()),
        ] as const
      }),
    )
  }
  showPairs(
    screen,
    'Of call itself',
    Object.entries(callOptions).map(([name, { summary }]) => [`--${name}`, summary]),
  )
  showClashes(
    screen,
    flags.map(({ key }) => key),
  )
  if (tool.examples.length === 0) return
  const examples = tool.examples.map(({ input }) =>
    toCallCommand(tool.name, tool.inputSchema, input),
  )
  showSection(screen, 'Examples', examples.map(toSafeText))
}

/** Warns about fields that share a name with an option of Toolcrib. */
function showClashes(screen: Screen, keys: readonly string[]): void {
  const clashes = keys.filter((key) => Object.hasOwn(callOptions, key) || alwaysOwn.has(key))
  if (clashes.length === 0) return
  showSection(screen, 'Names in common', [
    `${clashes.map((key) => `--${key}`).join(', ')}: after -- it is the tool's, before the tool's name it is Toolcrib's.`,
  ])
}

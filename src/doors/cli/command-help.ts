import type { Command, OptionSpec, OptionSpecs, RawCommand } from './command.ts'
import { toOptionSummary } from './option-summary.ts'
import type { Screen } from './output/screen.ts'
import { pad, widthOf, wrap } from './output/text-width.ts'
import { everywhereOptions } from './parse-options.ts'

/** The help of one command, or of one of its verbs. */
export function showCommandHelp(
  screen: Screen,
  command: Command | RawCommand,
  word?: string,
): void {
  screen.out(command.summary)
  const { usage, options } = toHelpOf(command, word)
  showSection(
    screen,
    'Usage',
    usage.map((line) => `toolcrib ${line}`),
  )
  const own = toOptionPairs(options)
  if (own.length > 0) showPairs(screen, 'Options', own)
  showPairs(screen, 'Everywhere', toOptionPairs(everywhereOptions))
  if (command.notes !== undefined) showSection(screen, 'Notes', command.notes)
  if (command.examples !== undefined) showSection(screen, 'Examples', command.examples)
}

/**
 * The part of the help for this verb: `mcp add`. Options whose summary names other verbs are left
 * out.
 */
function toHelpOf(
  command: Command | RawCommand,
  word: string | undefined,
): Pick<Command, 'usage' | 'options'> {
  const { usage, options, firstWord } = command
  if (word === undefined) return { usage, options }
  const lines = usage.filter((line) => wordsOf(line.split(' ')[1] ?? '', '|').includes(word))
  if (lines.length === 0) return { usage, options }
  const own = 'optionsOf' in command ? command.optionsOf?.[word] : undefined
  if (own !== undefined) return { usage: lines, options: own }
  const isForOther = ({ summary }: OptionSpec) => {
    const named = wordsOf(/^([a-z, -]+): /.exec(summary)?.[1] ?? '', ', ')
    const isAction = named.every((one) => Array.isArray(firstWord) && firstWord.includes(one))
    return isAction && !named.includes(word)
  }
  const kept = Object.entries(options).filter(([, spec]) => !isForOther(spec))
  return { usage: lines, options: Object.fromEntries(kept) }
}

function wordsOf(text: string, between: string): string[] {
  return text.split(between)
}

/** A heading and indented lines, wrapped to the screen. */
export function showSection(screen: Screen, title: string, lines: readonly string[]): void {
  screen.out('')
  screen.out(screen.style('bold', title))
  for (const line of lines) {
    for (const part of wrap(line, screen.width - 2)) screen.out(`  ${part}`)
  }
}

/** A heading and two columns, the second wrapped beside the first. */
export function showPairs(
  screen: Screen,
  title: string,
  pairs: readonly (readonly [string, string])[],
): void {
  screen.out('')
  screen.out(screen.style('bold', title))
  const left = Math.min(28, Math.max(...pairs.map(([name]) => widthOf(name))))
  for (const [name, text] of pairs) {
    const [first = '', ...rest] = wrap(text, screen.width - left - 4)
    screen.out(`  ${screen.style('cyan', pad(name, left))}  ${first}`.trimEnd())
    for (const line of rest) screen.out(`  ${pad('', left)}  ${line}`)
  }
}

/** Options as name and summary. */
export function toOptionPairs(options: OptionSpecs): [string, string][] {
  return Object.entries(options).map(([name, spec]) => [
    toOptionTitle(name, spec),
    toOptionSummary(spec),
  ])
}

function toOptionTitle(name: string, spec: OptionSpec): string {
  const short = spec.short === undefined ? '' : `-${spec.short}, `
  const value = spec.type === 'string' ? ` ${spec.value ?? 'VALUE'}` : ''
  return `${short}--${name}${value}`
}

import type { Command, OptionSpecs, RawCommand } from '../../src/doors/cli/command.ts'
import { commandTable } from '../../src/doors/cli/command-table.ts'
import { toOptionSummary } from '../../src/doors/cli/option-summary.ts'
import { everywhereOptions } from '../../src/doors/cli/parse-options.ts'
import { code, table } from './markdown.ts'

/** Every command with its usage, options and examples, as `--help` has them. */
export async function commandPages(): Promise<string> {
  const entries = Object.entries(commandTable)
  const index = table(
    ['command', 'does'],
    entries.map(([name, { summary }]) => [`[${code(name)}](#${name})`, summary]),
  )
  const sections = await Promise.all(
    entries.map(async ([name, entry]) => `## ${name}\n\n${describe(await entry.load())}`),
  )
  const everywhere = `## Options of every command\n\n${optionTable(everywhereOptions)}`
  const intro = 'Run as `toolcrib <command>`. `toolcrib <command> --help` shows the same.'
  return [intro, index, everywhere, ...sections].join('\n\n')
}

function describe({ summary, usage, options, notes, examples }: Command | RawCommand): string {
  const own = Object.fromEntries(
    Object.entries(options).filter(([name]) => !Object.hasOwn(everywhereOptions, name)),
  )
  return [
    summary,
    block(usage.map((line) => `toolcrib ${line}`)),
    ...(Object.keys(own).length > 0 ? [optionTable(own)] : []),
    ...(notes ?? []),
    ...(examples?.length ? [`Examples:\n\n${block(examples)}`] : []),
  ].join('\n\n')
}

function optionTable(options: OptionSpecs): string {
  const rows = Object.entries(options).map(([name, spec]) => {
    const { value, short } = spec
    const flag = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`
    return [code(flag), toOptionSummary(spec)]
  })
  return table(['option', 'does'], rows)
}

function block(lines: readonly string[]): string {
  return `\`\`\`\n${lines.join('\n')}\n\`\`\``
}

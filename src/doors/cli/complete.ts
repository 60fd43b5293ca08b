import type { ToolDetail } from '../../core/tools/tool-listing.ts'
import { flagsOf } from './call/describe-flags.ts'
import { findRunning } from './client/find-server.ts'
import { createClient, type HttpClient } from './client/http-client.ts'
import { readToolNames } from './client/read-tool.ts'
import { commandTable } from './command-table.ts'
import type { Command, OptionSpecs, RawCommand } from './command.ts'
import type { CliEnvironment } from './environment.ts'
import { exit } from './exit-codes.ts'
import { toSafeLine } from './output/safe-text.ts'
import type { Screen } from './output/screen.ts'
import { everywhereOptions, splitAtFirstWord } from './parse-options.ts'
import { toDataFolder } from './run-command.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'

/** The user is waiting: candidates that take longer are not offered. */
const patienceMs = 600

/**
 * Prints candidates for the last word, one a line. Shells call it after every Tab: it never opens a
 * store, and prints nothing on errors.
 */
export async function complete(
  args: readonly string[],
  environment: CliEnvironment,
  screen: Screen,
): Promise<number> {
  const words = args[0] === '--' ? args.slice(1) : args
  const last = words.at(-1) ?? ''
  try {
    const candidates = await candidatesFor(words.slice(0, -1), last, environment)
    for (const candidate of candidates) {
      if (candidate.startsWith(last)) screen.out(toSafeLine(candidate))
    }
  } catch {
    // The shell then offers file names.
  }
  return exit.ok
}

async function candidatesFor(
  before: readonly string[],
  last: string,
  environment: CliEnvironment,
): Promise<string[]> {
  const { word: name, after } = splitAtFirstWord(before, everywhereOptions)
  if (name === undefined) {
    return last.startsWith('-') ? flagsIn(everywhereOptions) : Object.keys(commandTable)
  }
  const command = await ownValue(commandTable, name)?.load()
  if (command === undefined) return []
  const specs: OptionSpecs = { ...everywhereOptions, ...command.options }
  const open = openOption(before.at(-1), specs)
  if (open !== undefined) return valuesOf(open, specs, environment)
  const { word } = splitAtFirstWord(after, specs)
  if (!last.startsWith('-')) return word === undefined ? firstWords(command, environment) : []
  return [...(await toolFlags(environment, name === 'call' ? word : undefined)), ...flagsIn(specs)]
}

function valuesOf(
  option: string,
  specs: OptionSpecs,
  environment: CliEnvironment,
): Promise<string[]> | string[] {
  if (option === 'tool') return toolNames(environment)
  if (option === 'agent') return agentNames(environment)
  return [...(specs[option]?.choices ?? [])]
}

async function agentNames(environment: CliEnvironment): Promise<string[]> {
  const client = await findClient(environment)
  const agents = await client?.all<{ slug: string }>('/agents', { limit: 500 })
  return agents?.map(({ slug }) => slug) ?? []
}

/** The option that the word being typed is the value of. */
function openOption(previous: string | undefined, specs: OptionSpecs): string | undefined {
  const name = previous?.startsWith('--') === true ? previous.slice(2) : ''
  return ownValue(specs, name)?.type === 'string' ? name : undefined
}

async function firstWords(
  { firstWord }: Command | RawCommand,
  environment: CliEnvironment,
): Promise<string[]> {
  if (firstWord === 'tools') return toolNames(environment)
  return firstWord === undefined ? [] : [...firstWord]
}

function flagsIn(specs: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(specs).map((name) => `--${name}`)
}

async function toolNames(environment: CliEnvironment): Promise<string[]> {
  const client = await findClient(environment)
  return client === undefined ? [] : readToolNames(client)
}

async function toolFlags(environment: CliEnvironment, name: string | undefined): Promise<string[]> {
  const client = name === undefined ? undefined : await findClient(environment)
  if (client === undefined || name === undefined) return []
  const tool = await client.read<ToolDetail>(`/tools/${encodeURIComponent(name)}`)
  return flagsOf(tool.inputSchema).map(({ flag }) => `--${flag}`)
}

async function findClient(environment: CliEnvironment): Promise<HttpClient | undefined> {
  const running = await findRunning(environment, toDataFolder(undefined, environment), patienceMs)
  if (running === undefined) return undefined
  const ask = environment.fetch ?? globalThis.fetch
  const signal = AbortSignal.timeout(patienceMs)
  return createClient({ ...running, fetch: (url, init) => ask(url, { ...init, signal }) })
}

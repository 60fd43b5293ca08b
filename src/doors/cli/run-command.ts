import { resolve } from 'node:path'
import type { Connection } from './client/find-server.ts'
import type { Command, CommandContext, OptionValues } from './command.ts'
import type { CliEnvironment, ServerOptions, WithoutData } from './environment.ts'
import { toSafeLine } from './output/safe-text.ts'

/** Runs a command with what every command needs; closes the connection it may have opened. */
export async function runCommand(
  command: Pick<Command, 'run' | 'ownsUrl' | 'reads' | 'needsData'>,
  parts: Pick<CommandContext, 'environment' | 'screen' | 'words' | 'options'>,
): Promise<number> {
  const server = toServerOptions(parts.options, parts.environment)
  let connection: Promise<Connection> | undefined
  const open = async (): Promise<Connection> => {
    const { connect } = await import('./client/find-server.ts')
    const place = command.ownsUrl?.(parts.words) === true ? 'server' : 'url'
    const [url, tenant] = [parts.options.text(place), parts.options.text('tenant')]
    const withoutData = findWay(command, parts.words)
    const found = await connect(parts.environment, { ...server, url, tenant, withoutData })
    warnOfUnused(parts, found)
    warnOfCreated(parts, found)
    return found
  }
  try {
    return await command.run({ ...parts, server, connect: () => (connection ??= open()) })
  } finally {
    const opened = await connection?.catch(() => undefined)
    await opened?.close()
  }
}

function findWay(
  { reads, needsData }: Pick<Command, 'reads' | 'needsData'>,
  words: readonly string[],
): WithoutData {
  if (needsData === true) return 'refuse'
  const [word = ''] = words
  const isReading =
    typeof reads === 'function' ? reads(words) : reads === true || reads?.includes(word)
  return isReading === true ? 'lend' : 'make'
}

/** Options for opening a data folder have no effect on a server that is already running. */
function warnOfUnused(
  { options, screen }: Pick<CommandContext, 'options' | 'screen'>,
  { kind, client }: Connection,
): void {
  if (kind === 'local') return
  const unused = ['tools', 'config', 'database'].filter((name) => options.texts(name).length > 0)
  if (unused.length === 0) return
  const flags = unused.map((name) => `--${name}`).join(' and ')
  screen.err(
    `! The running server at ${toSafeLine(client.url)} answers: ${flags} ${unused.length > 1 ? 'have' : 'has'} no effect.`,
  )
}

/** The path may be mistyped: what this command writes would then be missed elsewhere. */
function warnOfCreated({ screen }: Pick<CommandContext, 'screen'>, { created }: Connection): void {
  if (created === undefined) return
  screen.err(`! ${toSafeLine(created)} had no Toolcrib data: this command created it.`)
}

/** Paths are made absolute here, once: nothing below knows the current folder. */
function toServerOptions(options: OptionValues, environment: CliEnvironment): ServerOptions {
  const config = options.text('config')
  const database = options.text('database')
  return {
    data: toDataFolder(options.text('data'), environment),
    tools: options.texts('tools').map((folder) => resolve(environment.cwd, folder)),
    ...(config === undefined ? {} : { config: resolve(environment.cwd, config) }),
    ...(database === undefined ? {} : { database }),
    json: options.flag('json'),
    cwd: environment.cwd,
  }
}

/** The data folder: `--data`, `TOOLCRIB_DATA`, else `.toolcrib` in the current folder. */
export function toDataFolder(
  given: string | undefined,
  { cwd, env }: Pick<CliEnvironment, 'cwd' | 'env'>,
): string {
  return resolve(cwd, given ?? (env['TOOLCRIB_DATA'] || '.toolcrib'))
}

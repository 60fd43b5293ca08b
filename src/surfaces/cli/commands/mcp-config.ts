import { homedir, platform } from 'node:os'
import type { KeyAnswer } from '../../../core/keys/keys-api.ts'
import { findRunning } from '../client/find-server.ts'
import type { CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import {
  type ClientConfig,
  clientConfigs,
  keyVariable,
  type McpClient,
  mcpClients,
  type StdioEntry,
} from '../mcp/client-configs.ts'
import { mcpPath } from '../mcp/mcp-path.ts'
import { type Snippet, toJsonFile, toSnippetText } from '../mcp/to-snippet.ts'
import { writeConfig, type WrittenConfig } from '../mcp/write-config.ts'
import { didYouMean } from '../nearest-names.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'

/** `toolcrib mcp config <client>`: what to write into the client's file, or the writing of it. */
export async function showMcpConfig(context: CommandContext): Promise<number> {
  const { words, options, environment } = context
  const client = toClient(words[1])
  const config = clientConfigs[client]
  const url = await findUrl(context, config)
  if (options.flag('create-key') && url === undefined) throw needsNoKey(config)
  const created = options.flag('create-key') ? await createKey(context, client) : undefined
  const name = options.text('name') ?? 'toolcrib'
  if (!/^[\w-]{1,64}$/.test(name)) throw usageError('--name takes letters, digits, _ and -.')
  const entry = toEntry(context, { config, url, key: created?.token })
  const needsBeside = url !== undefined && config.http !== undefined && created === undefined
  const snippet: Snippet = { name, entry, needsBeside }
  const file = config.file({
    platform: platform(),
    home: environment.env['HOME'] || homedir(),
    cwd: environment.cwd,
    env: environment.env,
  })
  const written = options.flag('write') ? await writeConfig(file, config, snippet) : undefined
  show(context, { client, config, snippet, file, written, created, url })
  return exit.ok
}

function needsNoKey({ title }: ClientConfig) {
  return usageError(
    `A program that ${title} starts on this machine needs no key.`,
    'Leave --create-key out, or connect over HTTP: --http, or --url with its address.',
  )
}

function toClient(word: string | undefined): McpClient {
  const client = mcpClients.find((one) => one === word)
  if (client !== undefined) return client
  throw usageError(
    word === undefined ? 'For which client?' : `There is no configuration for ${word}.`,
    didYouMean(word ?? '', [...mcpClients], 'toolcrib mcp config ') ??
      `It can ${mcpClients.join(', ')}.`,
  )
}

/** The address of the server, where the client is to connect to one. */
async function findUrl(
  { environment, options, server }: CommandContext,
  { title, http }: ClientConfig,
): Promise<string | undefined> {
  const named = options.text('url') ?? (environment.env['TOOLCRIB_URL'] || undefined)
  if (named !== undefined) return named.replace(/\/+$/, '')
  if (!options.flag('http')) return undefined
  const running = await findRunning(environment, server.data)
  if (running !== undefined) return running.url
  throw usageError(
    `No server runs that ${title} could connect to${http ? '' : ' by'}.`,
    'Start one (toolcrib start), give its address with --url, or leave --http out.',
  )
}

/** May call tools and nothing else; bound to the agent, where one is named. */
async function createKey(
  { connect, options }: CommandContext,
  client: McpClient,
): Promise<KeyAnswer> {
  const { client: http } = await connect()
  return http.read<KeyAnswer>('/keys', {
    method: 'POST',
    body: { name: `MCP: ${client}`, scopes: ['tools.call'], agent: options.text('agent') },
  })
}

interface EntryFacts {
  config: ClientConfig
  url: string | undefined
  key: string | undefined
}

function toEntry(
  { environment, options, server }: CommandContext,
  { config, url, key }: EntryFacts,
): Record<string, unknown> {
  const agent = options.text('agent')
  if (url !== undefined && config.http !== undefined) {
    return config.http({ url: `${url}${mcpPath(agent)}`, ...(key !== undefined && { key }) })
  }
  return config.stdio(toProgram({ environment, server }, { url, key, agent }))
}

interface ProgramFacts {
  url: string | undefined
  key: string | undefined
  agent: string | undefined
}

/** `toolcrib mcp` as another program starts it: with full paths, for it may start it anywhere. */
function toProgram(
  { environment, server }: Pick<CommandContext, 'environment' | 'server'>,
  { url, key, agent }: ProgramFacts,
): StdioEntry {
  const [command = 'npx', ...before] = environment.program ?? ['npx', '-y', 'toolcrib']
  const args = [...before, 'mcp']
  if (url !== undefined) args.push('--url', url)
  else args.push('--data', server.data)
  if (url === undefined && server.config !== undefined) args.push('--config', server.config)
  if (agent !== undefined) args.push('--agent', agent)
  if (url === undefined && key === undefined) return { command, args }
  // A program does not see the variables of a shell: the key has to stand in the file.
  return { command, args, env: { [keyVariable]: key ?? 'crib_…' } }
}

interface Shown {
  client: McpClient
  config: ClientConfig
  snippet: Snippet
  file: string
  written: WrittenConfig | undefined
  created: KeyAnswer | undefined
  url: string | undefined
}

function show({ screen }: CommandContext, shown: Shown): void {
  const { client, config, snippet, file, written, created, url } = shown
  if (screen.isJson) {
    return screen.json({
      client,
      transport: url !== undefined && config.http !== undefined ? 'http' : 'stdio',
      file,
      snippet:
        config.format === 'json' ? toJsonFile(config, snippet) : toSnippetText(config, snippet),
      ...(written && { written: true, ...(written.backup && { backup: written.backup }) }),
      ...(created && { keyId: created.key.id }),
      ...(created && !config.holdsKey && { key: created.token }),
    })
  }
  if (written === undefined) {
    screen.out(toSnippetText(config, snippet))
    screen.err(`→ ${config.title} reads this from ${toSafeLine(file)}; --write puts it there.`)
  } else {
    screen.out(`${screen.style('green', '✓')} ${toSafeLine(written.file)}`)
    if (written.backup !== undefined)
      screen.err(`What was there is in ${toSafeLine(written.backup)}`)
  }
  showKeyLines({ screen }, shown)
  screen.err(config.nextStep)
}

function showKeyLines({ screen }: Pick<CommandContext, 'screen'>, shown: Shown): void {
  const { config, created, url } = shown
  if (created !== undefined) {
    const ends = `toolcrib keys revoke ${toSafeLine(created.key.id)} ends it`
    if (config.holdsKey) return screen.err(`! There is a key in it; ${ends}.`)
    screen.err(`! ${config.title} reads its key from a variable. It is shown this once; ${ends}:`)
    screen.err(`export ${keyVariable}=${toSafeLine(created.token)}`)
    return
  }
  if (url === undefined) return
  if (config.http === undefined)
    screen.err(`! Write a key in place of crib_…, or use --create-key.`)
  else if (config.beside !== undefined) screen.err('! It asks for a key when it connects first.')
  else
    screen.err(`! Set ${keyVariable} to a key where ${config.title} starts, or use --create-key.`)
}

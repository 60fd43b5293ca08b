import { homedir, platform } from 'node:os'
import type { IssuedKeyAnswer } from '../../../../features/keys/schemas.ts'
import { findRunning } from '../../client/find-server.ts'
import type { HttpClient } from '../../client/http-client.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { createClientKey, endKey, endReplacedKey, type ReplacedKey } from '../../mcp/client-key.ts'
import {
  type ClientConfig,
  clientConfigs,
  keyVariable,
  type McpClient,
  mcpClients,
  type StdioEntry,
} from '../../mcp/client-configs.ts'
import { mcpPath } from '../../mcp/mcp-path.ts'
import { type Snippet, toJsonFile, toSnippetText } from '../../mcp/to-snippet.ts'
import { findHeldKey, writeConfig, type WrittenConfig } from '../../mcp/write-config.ts'
import { didYouMean } from '../../nearest-names.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'

/** `toolcrib mcp config <client>`: what to write into the client's file, or the writing of it. */
export async function showMcpConfig(context: CommandContext): Promise<number> {
  const { words, options, environment } = context
  const client = toClient(words[1])
  const config = clientConfigs[client]
  const url = await findUrl(context, config)
  const name = options.text('name') ?? 'toolcrib'
  if (!/^[\w-]{1,64}$/.test(name)) throw usageError('--name takes letters, digits, _ and -.')
  const file = config.file({
    platform: platform(),
    home: environment.env['HOME'] || homedir(),
    cwd: environment.cwd,
    env: environment.env,
  })
  const held = options.flag('write') ? await findHeldKey(file, config, name) : undefined
  const http = options.flag('create-key') ? await connectForKey(context, config, url) : undefined
  const created = http && (await createClientKey(http, client, options.text('agent')))
  const entry = await toEntry(context, { config, url, key: created?.token })
  const needsBeside = url !== undefined && config.http !== undefined && created === undefined
  const snippet: Snippet = { name, entry, needsBeside }
  const written = options.flag('write')
    ? await writeConfig(file, config, snippet).catch(async (error: unknown) => {
        // Nobody has seen this key, so nobody would ever revoke it.
        if (http && created) await endKey(http, created.key.id).catch(() => undefined)
        throw error
      })
    : undefined
  const replaced = held === undefined ? undefined : await endHeld(held, client, http)
  show(context, { client, config, snippet, file, written, created, replaced, url })
  return exit.ok
}

async function connectForKey(
  { connect }: CommandContext,
  config: ClientConfig,
  url: string | undefined,
): Promise<HttpClient> {
  if (url === undefined) throw needsNoKey(config)
  return (await connect()).client
}

/** Only --create-key connects to a server; otherwise the key in an existing entry is left alone. */
async function endHeld(
  id: string,
  client: McpClient,
  http: HttpClient | undefined,
): Promise<ReplacedKey> {
  return http === undefined ? { id, isRevoked: false } : endReplacedKey(http, client, id)
}

function needsNoKey({ title }: ClientConfig) {
  return usageError(
    `A program that ${title} starts on this machine needs no key.`,
    'Omit --create-key, or connect over HTTP: --http, or --url with its address.',
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

/** The address of the server for a client that connects over HTTP. */
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
    `No server is running that ${title} could connect to${http ? '' : ' by'}.`,
    'Start one (toolcrib start), pass its address with --url, or omit --http.',
  )
}

interface EntryFacts {
  config: ClientConfig
  url: string | undefined
  key: string | undefined
}

async function toEntry(
  context: CommandContext,
  { config, url, key }: EntryFacts,
): Promise<Record<string, unknown>> {
  const agent = context.options.text('agent')
  if (url !== undefined && config.http !== undefined) {
    return config.http({ url: `${url}${mcpPath(agent)}`, ...(key !== undefined && { key }) })
  }
  return config.stdio(await toProgram(context, { url, key, agent }))
}

interface ProgramFacts {
  url: string | undefined
  key: string | undefined
  agent: string | undefined
}

/** `toolcrib mcp` as another program starts it: with full paths, for it may start it anywhere. */
async function toProgram(
  context: CommandContext,
  { url, key, agent }: ProgramFacts,
): Promise<StdioEntry> {
  const { environment, options } = context
  const [command = 'npx', ...before] = environment.program ?? ['npx', '-y', 'toolcrib']
  const place = url === undefined ? await toLocalPlace(context) : ['--url', url]
  const args = [...before, 'mcp', ...place]
  const tenant = options.text('tenant')
  if (tenant !== undefined) args.push('--tenant', tenant)
  if (agent !== undefined) args.push('--agent', agent)
  if (url === undefined && key === undefined) return { command, args }
  // A program does not see shell variables, so the key must be in the file.
  return { command, args, env: { [keyVariable]: key ?? 'crib_…' } }
}

/**
 * The options of this folder and command line, so that the client opens the same data from
 * anywhere.
 */
async function toLocalPlace({ environment, server }: CommandContext): Promise<string[]> {
  const here = server.config === undefined ? await environment.findSetup(server.cwd) : undefined
  const config = server.config ?? here?.config
  const tools = server.tools.length > 0 ? server.tools : (here?.tools ?? [])
  return [
    '--data',
    server.data,
    ...(config === undefined ? [] : ['--config', config]),
    ...tools.flatMap((folder) => ['--tools', folder]),
    ...(server.database === undefined ? [] : ['--database', server.database]),
  ]
}

interface Shown {
  client: McpClient
  config: ClientConfig
  snippet: Snippet
  file: string
  written: WrittenConfig | undefined
  created: IssuedKeyAnswer | undefined
  replaced: ReplacedKey | undefined
  url: string | undefined
}

function show({ screen }: CommandContext, shown: Shown): void {
  const { client, config, snippet, file, written, url } = shown
  if (screen.isJson) {
    return screen.json({
      client,
      transport: url !== undefined && config.http !== undefined ? 'http' : 'stdio',
      file,
      snippet:
        config.format === 'json' ? toJsonFile(config, snippet) : toSnippetText(config, snippet),
      ...(written && { written: true, ...(written.backup && { backup: written.backup }) }),
      ...toKeyFacts(shown),
    })
  }
  if (written === undefined) {
    screen.out(toSnippetText(config, snippet))
    screen.err(`→ ${config.title} reads this from ${toSafeLine(file)}; --write puts it there.`)
  } else {
    screen.out(`${screen.style('green', '✓')} ${toSafeLine(written.file)}`)
    if (written.backup !== undefined)
      screen.err(`The previous file was copied to ${toSafeLine(written.backup)}`)
  }
  showKeyLines({ screen }, shown)
  screen.err(config.nextStep)
}

function toKeyFacts({ config, created, replaced }: Shown): Record<string, unknown> {
  return {
    ...(created && { keyId: created.key.id }),
    ...(created && !config.holdsKey && { key: created.token }),
    ...(replaced && { replacedKey: { id: replaced.id, revoked: replaced.isRevoked } }),
  }
}

function showKeyLines({ screen }: Pick<CommandContext, 'screen'>, shown: Shown): void {
  const { config, created, replaced, url } = shown
  if (replaced !== undefined) {
    const id = toSafeLine(replaced.id)
    if (replaced.isRevoked) screen.err(`The previous key, ${id}, no longer works.`)
    else screen.err(`! The previous key may still work: toolcrib keys revoke ${id} revokes it.`)
  }
  if (created !== undefined) {
    const ends = `toolcrib keys revoke ${toSafeLine(created.key.id)} ends it`
    if (config.holdsKey) return screen.err(`! The file contains a key; ${ends}.`)
    screen.err(`! ${config.title} reads its key from a variable. It is shown only once; ${ends}:`)
    screen.err(`export ${keyVariable}=${toSafeLine(created.token)}`)
    return
  }
  if (url === undefined) return
  if (config.http === undefined) screen.err(`! Replace crib_… with a key, or use --create-key.`)
  else if (config.beside !== undefined) screen.err('! It asks for a key when it first connects.')
  else
    screen.err(`! Set ${keyVariable} to a key where ${config.title} starts, or use --create-key.`)
}

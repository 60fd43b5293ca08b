import type { Readable } from 'node:stream'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { mcpClients } from '../mcp/client-configs.ts'
import { mcpPath } from '../mcp/mcp-path.ts'
import { takeStdout } from '../mcp/take-stdout.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { showMcpConfig } from './mcp-config.ts'
import { importServers } from './mcp-import.ts'
import { listConnections, logIn, logOut } from './mcp-login.ts'
import { serverOptions } from './mcp-server-spec.ts'
import {
  addServer,
  editServer,
  listServers,
  refreshServer,
  removeServer,
  restartServer,
  showOneServer,
  switchServer,
  testServer,
} from './mcp-servers.ts'
import { decideTool, listServerTools } from './mcp-tools.ts'

const serverActions: Readonly<Record<string, Command['run']>> = {
  list: listServers,
  show: showOneServer,
  add: addServer,
  import: importServers,
  edit: editServer,
  remove: removeServer,
  test: testServer,
  refresh: refreshServer,
  restart: restartServer,
  enable: switchServer(true),
  disable: switchServer(false),
  tools: listServerTools,
  accept: decideTool('accept'),
  reject: decideTool('reject'),
  login: logIn,
  logout: logOut,
  connections: listConnections,
}

/** Words that an action takes, itself among them; two where nothing is said. */
const wordsOf: Readonly<Record<string, number>> = {
  list: 1,
  add: 203,
  edit: 203,
  test: 203,
  accept: 3,
  reject: 3,
}

/** `toolcrib mcp`: the crib for MCP clients on this machine, and MCP servers for the crib. */
export const mcpCommand: Command = {
  summary:
    'Serve the tools to a local MCP client on stdio, configure clients, bring in MCP servers.',
  usage: [
    'mcp [--agent AGENT]',
    `mcp config <${mcpClients.join('|')}> [--http] [--agent AGENT] [--name NAME] [--create-key] [--write]`,
    'mcp add <server> [--url] URL [--header K=V] [--oauth]',
    'mcp add <server> [--env K=V] -- PROGRAM [ARGUMENTS]',
    'mcp import <file>',
    'mcp edit <server> [what is to change, as for add]',
    'mcp list [--q WORDS]',
    'mcp show|test|refresh|restart|enable|disable|remove <server>',
    'mcp tools <server>',
    'mcp accept|reject <server> <tool> [--hash HASH] [--yes]',
    'mcp accept|reject <server> --all [--yes]',
    'mcp login <server> [--open] [--no-wait]',
    'mcp logout|connections <server> [--subject WHO]',
  ],
  options: {
    agent: { type: 'string', value: 'AGENT', summary: 'as this agent: what it may use' },
    q: { type: 'string', value: 'WORDS', summary: 'list: words in the name, title or address' },
    http: { type: 'boolean', summary: 'config: connect to the server over HTTP, not by stdio' },
    name: {
      type: 'string',
      value: 'NAME',
      summary: 'config: what the client calls it (toolcrib)',
    },
    'create-key': {
      type: 'boolean',
      summary: 'config: make a key that may call tools, and put it in',
    },
    write: {
      type: 'boolean',
      summary: "config: write it into the client's file, beside what is there",
    },
    ...serverOptions,
    server: {
      type: 'string',
      value: 'URL',
      summary: 'add, edit, test: the Toolcrib server to talk to',
    },
    hash: { type: 'string', value: 'HASH', summary: 'accept, reject: what was looked at' },
    all: { type: 'boolean', summary: 'accept, reject: every tool that is set aside' },
    yes: { type: 'boolean', summary: 'do not ask' },
    open: { type: 'boolean', summary: 'login: open the browser' },
    'no-wait': { type: 'boolean', summary: 'login: only say where' },
    subject: { type: 'string', value: 'WHO', summary: 'logout: somebody else, as the list says' },
  },
  maxWords: 203,
  reads: ['list', 'show', 'tools', 'connections'],
  ownsUrl: ([action = '']) => ['add', 'edit', 'test'].includes(action),
  firstWord: ['config', 'serve', ...Object.keys(serverActions)],
  notes: [
    'Without a word it speaks MCP on stdin and stdout, of either era, until stdin closes: to the running server, to that of --url with TOOLCRIB_KEY, or to the crib opened here. Whatever is not protocol goes to stderr.',
  ],
  examples: [
    'toolcrib mcp --agent support',
    'toolcrib mcp config claude-code',
    'toolcrib mcp add docs --url https://docs.example/mcp --header authorization="Bearer secret:docs_token"',
    'toolcrib mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv/files',
    'toolcrib mcp import ~/.cursor/mcp.json',
    'toolcrib mcp config cursor --http --create-key --write',
  ],
  run(context) {
    if (context.words.length === 0) return serve(context)
    const actions = { serve, config: showMcpConfig, ...serverActions }
    const most = wordsOf[context.words[0] ?? ''] ?? 2
    const extra = context.words[most]
    if (extra !== undefined) throw usageError(`${extra} is one word too many.`)
    return findAction('mcp', actions, context)
  },
}

async function serve({ environment, connect, options, words, screen }: CommandContext) {
  if (words.length > 1) throw usageError(`${words[1] ?? ''} is one word too many.`)
  if ((environment.stdin as { isTTY?: boolean }).isTTY === true) {
    screen.err('This speaks MCP on stdin and stdout, for a client to start. Ctrl-C ends it.')
    screen.err('→ toolcrib mcp config <client> configures one; toolcrib mcp --help says more.')
  }
  // Before the crib is opened: what its tools print while they load is no protocol either.
  const stdout = takeStdout(environment.stdout, environment.stderr)
  const { client } = await connect()
  const { bridgeStdio } = await import('../mcp/bridge-stdio.ts')
  const leaving = new AbortController()
  const stopListening = environment.onSignal(() => leaving.abort())
  try {
    const path = mcpPath(options.text('agent'))
    await bridgeStdio({
      stdin: environment.stdin as Readable,
      stdout,
      url: `${client.url}${path}`,
      fetch: (_url, init) => client.pass(path, init),
      signal: leaving.signal,
      onWarning: (message) => screen.err(`toolcrib mcp: ${message}`),
    })
  } finally {
    stopListening()
  }
  return exit.ok
}

import type { Readable } from 'node:stream'
import type { CommandContext, OptionSpecs } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { mcpClients } from '../../mcp/client-configs.ts'
import { mcpPath } from '../../mcp/mcp-path.ts'
import { takeStdout } from '../../mcp/take-stdout.ts'
import type { ByHand, HandAction } from '../../operations/to-command.ts'
import { showMcpConfig } from './mcp-config.ts'
import { importServers } from './mcp-import.ts'
import { logIn } from './mcp-login.ts'
import { serverOptions } from './mcp-server-spec.ts'
import { addServer, editServer, testServer } from './mcp-servers.ts'
import { decideTool, showTools } from './mcp-tools.ts'

const agent = {
  type: 'string',
  value: 'AGENT',
  summary: 'as this agent: only the tools it may use',
} as const

const serveAction: HandAction = {
  usage: ['mcp [--agent AGENT]'],
  options: { agent },
  maxWords: 0,
  run: serve,
}

const configOptions: OptionSpecs = {
  agent,
  http: { type: 'boolean', summary: 'config: connect to the server over HTTP, not by stdio' },
  name: {
    type: 'string',
    value: 'NAME',
    summary: 'config: what the client calls it (toolcrib)',
  },
  'create-key': {
    type: 'boolean',
    summary: 'config: create a key that may call tools, and put it into the configuration',
  },
  write: { type: 'boolean', summary: "config: add it to the client's file" },
}

const specOptions: OptionSpecs = {
  ...serverOptions,
  server: {
    type: 'string',
    value: 'URL',
    summary: 'add, edit, test: the Toolcrib server to talk to',
  },
}

const decisionOptions: OptionSpecs = {
  hash: { type: 'string', value: 'HASH', summary: 'accept, reject: the definition you have seen' },
  all: { type: 'boolean', summary: 'accept, reject: every tool that is set aside' },
  yes: { type: 'boolean', summary: 'do not ask' },
}

/** A program with up to 200 arguments. */
const specWords = 202

/** The verbs of `toolcrib mcp` that are not operations. */
export const mcpByHand: ByHand = {
  bare: serveAction,
  ownsUrl: ([action = '']) => ['add', 'edit', 'test'].includes(action),
  views: { tools: showTools },
  actions: {
    serve: { ...serveAction, usage: [] },
    config: {
      usage: [
        `mcp config <${mcpClients.join('|')}> [--http] [--agent AGENT] [--name NAME] [--create-key] [--write]`,
      ],
      options: configOptions,
      run: showMcpConfig,
    },
    add: {
      usage: [
        'mcp add <server> [--url] URL [--header K=V] [--oauth]',
        'mcp add <server> [--env K=V] -- PROGRAM [ARGUMENTS]',
      ],
      options: specOptions,
      maxWords: specWords,
      run: addServer,
    },
    import: { usage: ['mcp import <file>'], run: importServers },
    edit: {
      usage: ['mcp edit <server> [the options of add]'],
      options: specOptions,
      maxWords: specWords,
      run: editServer,
    },
    test: {
      usage: ['mcp test <server> [the options of add]'],
      options: specOptions,
      maxWords: specWords,
      run: testServer,
    },
    accept: {
      usage: [
        'mcp accept|reject <server> <tool> [--hash HASH] [--yes]',
        'mcp accept|reject <server> --all [--yes]',
      ],
      options: decisionOptions,
      maxWords: 2,
      run: decideTool('accept'),
    },
    reject: { usage: [], options: decisionOptions, maxWords: 2, run: decideTool('reject') },
    login: {
      usage: ['mcp login <server> [--open] [--no-wait]'],
      options: {
        open: { type: 'boolean', summary: 'login: open the browser' },
        'no-wait': { type: 'boolean', summary: 'login: only print the address' },
      },
      run: logIn,
    },
  },
}

async function serve({ environment, connect, options, screen }: CommandContext): Promise<number> {
  if ((environment.stdin as { isTTY?: boolean }).isTTY === true) {
    screen.err('This speaks MCP on stdin and stdout, for a client to start. Ctrl-C ends it.')
    screen.err('→ toolcrib mcp config <client> configures one; see toolcrib mcp --help.')
  }
  // Before the data folder is opened: output of tools that load is not protocol either.
  const stdout = takeStdout(environment.stdout, environment.stderr)
  const { client } = await connect()
  const { bridgeStdio } = await import('../../mcp/bridge-stdio.ts')
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

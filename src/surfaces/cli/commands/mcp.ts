import type { Readable } from 'node:stream'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { mcpClients } from '../mcp/client-configs.ts'
import { mcpPath } from '../mcp/mcp-path.ts'
import { takeStdout } from '../mcp/take-stdout.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { showMcpConfig } from './mcp-config.ts'

/** `toolcrib mcp`: the crib for MCP clients on this machine. */
export const mcpCommand: Command = {
  summary: 'Serve the tools to a local MCP client on stdio, and configure clients.',
  usage: [
    'mcp [--agent AGENT]',
    `mcp config <${mcpClients.join('|')}> [--http] [--agent AGENT] [--name NAME] [--create-key] [--write]`,
  ],
  options: {
    agent: { type: 'string', value: 'AGENT', summary: 'as this agent: what it may use' },
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
  },
  maxWords: 2,
  firstWord: ['config'],
  notes: [
    'Without a word it speaks MCP on stdin and stdout, of either era, until stdin closes: to the running server, to that of --url with TOOLCRIB_KEY, or to the crib opened here. Whatever is not protocol goes to stderr.',
  ],
  examples: [
    'toolcrib mcp --agent support',
    'toolcrib mcp config claude-code',
    'toolcrib mcp config cursor --http --create-key --write',
  ],
  run(context) {
    if (context.words.length === 0) return serve(context)
    return findAction('mcp', { serve, config: showMcpConfig }, context)
  },
}

async function serve({ environment, connect, options, words, screen }: CommandContext) {
  if (words.length > 1) throw usageError(`${words[1] ?? ''} is one word too many.`)
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

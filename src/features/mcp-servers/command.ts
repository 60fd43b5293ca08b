import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { connectionOperations } from './connection-operations.ts'
import type { mcpServerOperations } from './operations.ts'
import type { mcpToolOperations } from './tool-operations.ts'
import { connectionColumns, serverColumns, serverFacts } from './terminal.ts'

const server = { name: { flag: 'server' } } as const
const one = { words: ['name'], options: server } as const

/** The part of `toolcrib mcp` that asks one operation. */
export const mcpCommand: CommandGroup<
  typeof mcpServerOperations & typeof mcpToolOperations & typeof connectionOperations
> = {
  name: 'mcp',
  one: 'MCP server',
  summary: 'Serve tools to a local MCP client on stdio, configure clients, and add MCP servers.',
  commands: {
    listMcpServers: {
      verb: 'list',
      options: { q: { value: 'WORDS' } },
      list: serverColumns,
      empty: ({ q }) =>
        q === undefined
          ? 'No MCP servers. → toolcrib mcp add docs --url https://docs.example/mcp'
          : 'No MCP server matches. → toolcrib mcp list',
    },
    findMcpServer: { verb: 'show', ...one, record: serverFacts },
    refreshMcpServer: [
      { verb: 'refresh', ...one, without: ['restart'], record: serverFacts },
      { verb: 'restart', ...one, sets: { restart: true }, record: serverFacts },
    ],
    changeMcpServer: [
      { verb: 'enable', ...one, sets: { enabled: true }, record: serverFacts },
      { verb: 'disable', ...one, sets: { enabled: false }, record: serverFacts },
    ],
    removeMcpServer: {
      verb: 'remove',
      ...one,
      asks: (name) => `Remove ${name} with its accepted tools and sign-ins?`,
      done: 'removed',
    },
    listMcpTools: { verb: 'tools', ...one },
    listMcpConnections: {
      verb: 'connections',
      ...one,
      list: connectionColumns,
      empty: 'Nobody has signed in. → toolcrib mcp login <server>',
    },
    disconnectMcpServer: {
      verb: 'logout',
      ...one,
      options: { ...server, subject: { value: 'WHO', summary: 'sign out somebody else' } },
      done: 'disconnected',
    },
  },
  notes: [
    'Without a verb it speaks MCP on stdin and stdout, in all protocol versions, until stdin closes. It connects to the running server, to --url with TOOLCRIB_KEY, or opens the data folder itself. Everything that is not protocol goes to stderr.',
  ],
  examples: [
    'toolcrib mcp --agent support',
    'toolcrib mcp config claude-code',
    'toolcrib mcp add docs --url https://docs.example/mcp --header authorization="Bearer secret:docs_token"',
    'toolcrib mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv/files',
    'toolcrib mcp import ~/.cursor/mcp.json',
    'toolcrib mcp config cursor --http --create-key --write',
  ],
}

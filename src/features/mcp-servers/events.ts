import { defineEvents } from '../../core/events/define-events.ts'

export const mcpServerEvents = defineEvents(
  { noun: 'MCP server', group: 'tools', stale: ['mcp-servers', 'tools', 'tool'] },
  {
    'mcp.server.added': { meaning: 'An MCP server was added; never its credentials' },
    'mcp.server.changed': { meaning: 'An MCP server was changed: which of its parts' },
    'mcp.server.removed': { meaning: 'An MCP server was removed with its pins and connections' },
    'mcp.server.tested': {
      meaning: 'Somebody tried an MCP server out with secrets: where they went, and their names',
    },
    'mcp.server.tool_accepted': {
      meaning: 'Somebody accepted a tool of an MCP server as it is: its hash',
    },
    'mcp.server.tool_rejected': { meaning: 'Somebody set a tool of an MCP server aside: its hash' },
    'mcp.server.signed_in': { meaning: 'Somebody signed in to an MCP server; never the tokens' },
    'mcp.server.signed_out': { meaning: 'A sign-in to an MCP server was given up' },
    'mcp.server.connected': {
      meaning: 'An MCP server was reached for the first time, or again after a failure',
    },
    'mcp.server.failed': {
      meaning: 'An MCP server could not be reached, and why; it is tried again',
    },
    'mcp.server.ended': { meaning: 'The process or connection of an MCP server ended by itself' },
    'mcp.server.listed': {
      meaning: 'The tools of an MCP server are others than before: how many there are',
    },
    'mcp.server.tool_quarantined': {
      meaning: 'A tool of an MCP server was set aside, with the reason',
    },
  },
)

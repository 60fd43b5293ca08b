import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count, reason, text, texts, tool } from '../../core/operations/payload-fields.ts'

const server = text('The name of the server')
const hash = text('The hash of its definition')
const subject = text('The owner of the sign-in, as `kind:id`; empty for the whole tenant')

const facts = {
  command: text('The program it runs').optional(),
  url: text('Its address, without the query').optional(),
  oauth: z.boolean().optional().meta({ description: 'Whether it needs a sign-in' }),
  secrets: texts('The names of the secrets it uses').optional(),
}
const enabled = z.boolean().meta({ description: 'Whether it is switched on' })

const decided = () => z.object({ server, tool, hash })
const lost = () => z.object({ server, reason })

export const mcpServerEvents = defineEvents(
  { noun: 'MCP server', group: 'tools', stale: ['mcp-servers', 'tools', 'tool'] },
  {
    'mcp.server.added': {
      meaning: 'An MCP server was added; never its credentials',
      data: () => z.object({ server, ...facts, enabled }),
    },
    'mcp.server.changed': {
      meaning: 'An MCP server was changed or restarted',
      data: () =>
        z.object({
          server,
          fields: texts('The fields that were given'),
          ...facts,
          enabled: enabled.optional(),
        }),
    },
    'mcp.server.removed': {
      meaning: 'An MCP server was removed with its pins and connections',
      data: () => z.object({ server }),
    },
    'mcp.server.tested': {
      meaning: 'Somebody tested an MCP server with secrets: their names and destination',
      data: () => z.object({ server, ...facts }),
    },
    'mcp.server.tool_accepted': {
      meaning: 'Somebody accepted a tool of an MCP server as it is',
      data: decided,
    },
    'mcp.server.tool_rejected': {
      meaning: 'Somebody rejected a tool of an MCP server',
      data: decided,
    },
    'mcp.server.signed_in': {
      meaning: 'Somebody signed in to an MCP server; never the tokens',
      data: () => z.object({ server, subject, issuer: text('The authorization server') }),
    },
    'mcp.server.signed_out': {
      meaning: 'Somebody signed out of an MCP server',
      data: () => z.object({ server, subject }),
    },
    'mcp.server.connected': {
      meaning: 'An MCP server was reached for the first time, or again after a failure',
      data: () =>
        z.object({
          server,
          era: z.enum(['modern', 'legacy']).meta({ description: 'How it speaks MCP' }),
          version: text('Its protocol version'),
        }),
    },
    'mcp.server.failed': {
      meaning: 'An MCP server could not be reached, and why; the connection is retried',
      data: lost,
    },
    'mcp.server.ended': {
      meaning: 'The process or connection of an MCP server ended unexpectedly',
      data: lost,
    },
    'mcp.server.listed': {
      meaning: 'The tools of an MCP server changed',
      data: () => z.object({ server, tools: count('How many it has') }),
    },
    'mcp.server.tool_quarantined': {
      meaning: 'A tool of an MCP server was quarantined, and why',
      data: () =>
        z.object({
          server,
          tool,
          reason,
          changed: texts('The parts of its definition that changed, as JSON pointers').optional(),
        }),
    },
  },
)

import { z } from '@hono/zod-openapi'
import { ToolError } from '../../../core/errors.ts'
import { mcpTool } from '../describe/mcp-schemas.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { serverName } from './mcp-servers.ts'

const tag = 'MCP servers'
const params = { name: 'The name of the server', tool: 'The tool, as the server calls it' }
const body = {
  isRequired: true,
  schema: z
    .strictObject({
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be the hash of the tool that was looked at')
        .openapi({ description: 'Of what was looked at: 409 when the tool is another by now' }),
    })
    .openapi('McpToolDecision'),
}
const changed = { description: 'The tool has changed again: look at it once more' }

const listTools = defineRoute({
  method: 'get',
  path: '/api/v1/mcp-servers/{name}/tools',
  tag,
  summary: 'List the tools of an MCP server, with why some are not in use',
  description:
    'A tool that is set aside stands with what is different from what was accepted of it.',
  params: { name: params.name },
  answers: { 200: { description: 'Its tools', schema: z.object({ items: z.array(mcpTool) }) } },
  async handle({ door, caller, request }) {
    return json(200, { items: await door.api.listMcpTools(caller, serverName(request)) })
  },
})

const acceptTool = defineRoute({
  method: 'post',
  path: '/api/v1/mcp-servers/{name}/tools/{tool}/accept',
  tag,
  summary: 'Accept a tool as it is now',
  description: 'Needs `tools.approve`.',
  params,
  body,
  answers: { 200: { description: 'The tool', schema: mcpTool }, 409: changed },
  async handle({ door, caller, body: { hash }, request }) {
    const decision = { tool: toolName(request), hash }
    return json(200, await door.api.acceptMcpTool(caller, serverName(request), decision))
  },
})

const rejectTool = defineRoute({
  method: 'post',
  path: '/api/v1/mcp-servers/{name}/tools/{tool}/reject',
  tag,
  summary: 'Set a tool aside until somebody accepts it',
  description: 'Needs `tools.approve`.',
  params,
  body,
  answers: { 200: { description: 'The tool', schema: mcpTool }, 409: changed },
  async handle({ door, caller, body: { hash }, request }) {
    const decision = { tool: toolName(request), hash }
    return json(200, await door.api.rejectMcpTool(caller, serverName(request), decision))
  },
})

/** Servers name their tools as they like, within a thousand characters. */
function toolName(request: HttpRequest): string {
  const name = request.param('tool')
  if (name !== undefined && name !== '' && name.length <= 1000) return name
  throw new ToolError('not_found', 'There is no such tool')
}

/** Tools of MCP servers, and what was accepted of them. */
export const mcpToolRoutes: readonly Route[] = [listTools, acceptTool, rejectTool]

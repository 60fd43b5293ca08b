import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import { decidedTool, mcpTool } from '../describe/mcp-schemas.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { serverName } from './mcp-servers.ts'

const tag = 'MCP servers'
const params = { name: 'The name of the server', tool: 'The tool, as the server calls it' }
const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the hash of the tool that was looked at')
  .meta({ description: 'Of what was looked at: 409 when the tool is another by now' })
const body = { isRequired: true, schema: z.strictObject({ hash }).meta({ id: 'McpToolDecision' }) }
/** As many as are taken in of one server. */
const mostDecisions = 5000
const decisionsBody = {
  isRequired: true,
  schema: z
    .strictObject({
      decisions: z
        .array(
          z.strictObject({
            tool: z.string().min(1).max(1000).meta({ description: params.tool }),
            hash: hash.meta({ description: 'Of what was looked at' }),
            verdict: z.enum(['accept', 'reject']),
          }),
        )
        .min(1)
        .max(mostDecisions),
    })
    .meta({ id: 'McpToolDecisions' }),
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

function decideOn(verdict: 'accept' | 'reject', summary: string): Route {
  return defineRoute({
    method: 'post',
    path: `/api/v1/mcp-servers/{name}/tools/{tool}/${verdict}`,
    tag,
    summary,
    description: 'Needs `tools.approve`.',
    params,
    body,
    answers: { 200: { description: 'The tool', schema: mcpTool }, 409: changed },
    async handle({ door, caller, body: { hash }, request }) {
      const decision = { tool: toolName(request), hash, verdict }
      return json(200, await door.api.decideMcpTool(caller, serverName(request), decision))
    },
  })
}

const decideTools = defineRoute({
  method: 'post',
  path: '/api/v1/mcp-servers/{name}/tools/decisions',
  tag,
  summary: 'Accept and reject many tools',
  description:
    'Needs `tools.approve`. Each as it was looked at: one that has changed again, or is not there any more, is left as it is and told, and keeps no other back. Sending the same again is safe.',
  params: { name: params.name },
  body: decisionsBody,
  answers: {
    200: {
      description: 'What became of each, in the order they came in',
      schema: z.object({ items: z.array(decidedTool) }),
    },
  },
  async handle({ door, caller, body: { decisions }, request }) {
    const items = await door.api.decideMcpTools(caller, serverName(request), decisions)
    return json(200, { items })
  },
})

/** Servers name their tools as they like, within a thousand characters. */
function toolName(request: HttpRequest): string {
  const name = request.param('tool')
  if (name !== undefined && name !== '' && name.length <= 1000) return name
  throw new ToolError('not_found', 'There is no such tool')
}

/** Tools of MCP servers, and what was accepted of them. */
export const mcpToolRoutes: readonly Route[] = [
  listTools,
  decideOn('accept', 'Accept a tool as it is now'),
  decideOn('reject', 'Set a tool aside until somebody accepts it'),
  decideTools,
]

import { z } from 'zod'
import { operationsOf } from '../../core/operations/operation.ts'
import { decideTool, decideTools, toolsOf } from './decide-tools.ts'
import type { McpServerParts } from './parts.ts'
import { mcpReview, mcpTool } from './schemas.ts'

const define = operationsOf<McpServerParts>('MCP servers')
const params = { name: 'The name of the server' }
/** Servers may choose any tool name of up to a thousand characters. */
const ofTool = {
  ...params,
  tool: { description: 'The tool, as the server calls it', maxChars: 1000 },
}
const needs = 'tools.approve'
const agents = 'none'

const listMcpTools = define({
  http: 'GET /api/v1/mcp-servers/{name}/tools',
  summary: 'List the tools of an MCP server, with why some are not in use',
  description: 'A quarantined tool is listed with its differences from the accepted definition.',
  needs: { oneOf: ['mcp.manage', 'tools.approve', 'policy.read'] },
  agents,
  params,
  answer: { description: 'Its tools', schema: z.object({ items: z.array(mcpTool) }) },
  async run({ name }, { caller, parts }) {
    await Promise.all([parts.servers.find(caller, name), parts.wake(caller.tenant)])
    return { items: [...toolsOf(parts, caller, name)] }
  },
})

function decideOn(verdict: 'accept' | 'reject', summary: string) {
  return define({
    http: `POST /api/v1/mcp-servers/{name}/tools/{tool}/${verdict}`,
    summary,
    needs,
    agents,
    params: ofTool,
    body: mcpReview.decision,
    answer: { description: 'The tool', schema: mcpTool },
    refusals: { 409: 'The tool has changed again: review it once more' },
    run: ({ name, tool, hash }, { caller, parts }) =>
      decideTool(parts, caller, { server: name, tool, hash, verdict }),
  })
}

const acceptMcpTool = decideOn('accept', 'Accept a tool as it is now')
const rejectMcpTool = decideOn('reject', 'Quarantine a tool until someone accepts it')

const decideMcpTools = define({
  http: 'POST /api/v1/mcp-servers/{name}/tools/decisions',
  summary: 'Accept and reject many tools',
  description:
    'Each tool as it was reviewed: one that has changed again, or no longer exists, is not changed but reported, and does not affect the others. Repeating the request is safe.',
  needs,
  agents,
  params,
  body: mcpReview.decisions,
  answer: {
    description: 'The result for each, in the order of the request',
    schema: z.object({ items: z.array(mcpReview.decided) }),
  },
  async run({ name, decisions }, { caller, parts }) {
    return { items: await decideTools(parts, caller, { server: name, decisions }) }
  },
})

/** Tools of MCP servers and their reviews, by library method. */
export const mcpToolOperations = { listMcpTools, acceptMcpTool, rejectMcpTool, decideMcpTools }

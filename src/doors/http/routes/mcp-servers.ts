import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { mcpServer, mcpServerFields, mcpServerTest } from '../describe/mcp-schemas.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { searchedWords } from '../../../core/operations/query-fields.ts'
import { isShortText } from '../../../core/kernel/text/short-text.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const tag = 'MCP servers'
const params = { name: 'The name of the server' }
const conflict = { description: 'It is there already, or configuration declares it' }

const listServers = defineRoute({
  method: 'get',
  path: '/api/v1/mcp-servers',
  tag,
  summary: 'List MCP servers and how they stand',
  description: 'Needs `mcp.manage`, `tools.approve` or `policy.read`.',
  query: z.strictObject({
    after: shortText('The `next` of the page before').optional(),
    q: searchedWords('Words in the name, title, address or program'),
    limit: pageLimit(50, 200),
  }),
  answers: { 200: { description: 'A page of servers', schema: pageOf(mcpServer) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listMcpServers(caller, query))
  },
})

const addServer = defineRoute({
  method: 'post',
  path: '/api/v1/mcp-servers',
  tag,
  summary: 'Add an MCP server',
  description:
    'Its tools appear as `mcp:<name>:<tool>`. Programs (`command`) are added by owners and admins of the default tenant where configuration lets them. Needs `mcp.manage`.',
  body: {
    isRequired: true,
    schema: mcpServerFields.extend({ name: shortText('Its name') }),
    parse: toRecord,
  },
  answers: { 201: { description: 'The server', schema: mcpServer }, 409: conflict },
  async handle({ door, caller, body }) {
    const { name, ...spec } = body
    if (!isShortText(name)) throw new ToolError('invalid_request', 'A server needs a name')
    const added = await door.api.addMcpServer(caller, name, spec)
    return json(201, added, ['location', `/api/v1/mcp-servers/${encodeURIComponent(name)}`])
  },
})

const findServer = defineRoute({
  method: 'get',
  path: '/api/v1/mcp-servers/{name}',
  tag,
  summary: 'Read one MCP server',
  params,
  answers: { 200: { description: 'The server', schema: mcpServer } },
  async handle({ door, caller, request }) {
    return json(200, await door.api.findMcpServer(caller, serverName(request)))
  },
})

const changeServer = defineRoute({
  method: 'patch',
  path: '/api/v1/mcp-servers/{name}',
  tag,
  summary: 'Change an MCP server',
  description: 'What is given replaces what was there; null takes it away. Needs `mcp.manage`.',
  params,
  body: { isRequired: true, schema: mcpServerFields, parse: toRecord },
  answers: { 200: { description: 'The server', schema: mcpServer }, 409: conflict },
  async handle({ door, caller, body, request }) {
    const change = body
    return json(200, await door.api.changeMcpServer(caller, serverName(request), change))
  },
})

const removeServer = defineRoute({
  method: 'delete',
  path: '/api/v1/mcp-servers/{name}',
  tag,
  summary: 'Remove an MCP server with its pins and sign-ins',
  params,
  answers: { 204: { description: 'It is gone' }, 409: conflict },
  async handle({ door, caller, request }) {
    await door.api.removeMcpServer(caller, serverName(request))
    return empty(204)
  },
})

const testServer = defineRoute({
  method: 'post',
  path: '/api/v1/mcp-servers/{name}/test',
  tag,
  summary: 'Try an MCP server out',
  description:
    'Connects, lists and says what is wrong and the way out; changes nothing. With `server` in the body, one that is not added yet. Needs `mcp.manage`.',
  params,
  body: {
    isRequired: false,
    schema: z
      .strictObject({ server: mcpServerFields.optional() })
      .meta({ id: 'McpServerTestRequest' }),
    parse: toRecord,
  },
  answers: { 200: { description: 'What came of it', schema: mcpServerTest } },
  async handle({ door, caller, body, request }) {
    const { server, ...rest } = (body ?? {}) as { server?: unknown }
    refuseUnknown(rest)
    return json(200, await door.api.testMcpServer(caller, serverName(request), server))
  },
})

const refreshServer = defineRoute({
  method: 'post',
  path: '/api/v1/mcp-servers/{name}/refresh',
  tag,
  summary: 'Connect to an MCP server now and list its tools anew',
  description:
    'With `restart`, its processes and connections are ended first, with what runs on them: on all nodes, or on this one where the configuration declares it. Needs `mcp.manage`.',
  params,
  body: {
    isRequired: false,
    schema: z
      .strictObject({ restart: z.boolean().optional() })
      .meta({ id: 'McpServerRefreshRequest' }),
  },
  answers: { 200: { description: 'The server', schema: mcpServer } },
  async handle({ door, caller, body, request }) {
    return json(200, await door.api.refreshMcpServer(caller, serverName(request), body ?? {}))
  },
})

/** Read behind the door, where what is wrong can be told in full. */
function toRecord(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  throw new ToolError('invalid_request', 'The body must be an object')
}

/** The name in the address; one that can't be one is answered like one that is not there. */
export function serverName(request: HttpRequest): string {
  const name = request.param('name')
  if (isShortText(name)) return name
  throw new ToolError('not_found', 'There is no such MCP server')
}

/** MCP servers whose tools are brought in. */
export const mcpServerRoutes: readonly Route[] = [
  listServers,
  addServer,
  findServer,
  changeServer,
  removeServer,
  testServer,
  refreshServer,
]

/** A server described beside `server` would be taken for none, and the one that is there tried. */
function refuseUnknown(rest: object): void {
  const [key] = Object.keys(rest)
  if (key === undefined) return
  throw new ToolError('invalid_request', `${JSON.stringify(key.slice(0, 100))} is not known here`, {
    issues: [{ path: `/${key.slice(0, 100)}`, message: 'is not known' }],
    fix: 'Describe the server in the member server, or send no body.',
  })
}

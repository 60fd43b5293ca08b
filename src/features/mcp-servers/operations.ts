import { storeTime } from '../../core/kernel/ids.ts'
import { z } from 'zod'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { searchedWords } from '../../core/operations/query-fields.ts'
import { fitsWords } from '../../core/search/fits-words.ts'
import { addServer, changeServer, removeServer } from './change-server.ts'
import { assertOwner, checkName, type McpServerParts } from './parts.ts'
import { refreshServer } from './refresh-server.ts'
import {
  type McpServer,
  mcpServer,
  mcpServerChange,
  mcpServerRequest,
  mcpServerTest,
  refreshRequest,
  testRequest,
} from './schemas.ts'
import { assertSecretUse } from './secret-use.ts'
import { toFacts } from './server-facts.ts'
import { checkServer } from './server-rules.ts'
import { showServer } from './show-server.ts'
import { toMcpServer } from './to-mcp-server.ts'
import { tryServer } from './try-server.ts'

const define = operationsOf<McpServerParts>('MCP servers')
const params = { name: 'The name of the server' }
const readers = { oneOf: ['mcp.manage', 'tools.approve', 'policy.read'] } as const
const needs = 'mcp.manage'
const agents = 'none'
const asServer = { description: 'The server', schema: mcpServer }
const refusals = { 409: 'It already exists, or the configuration declares it' }

const listMcpServers = define({
  http: 'GET /api/v1/mcp-servers',
  summary: 'List MCP servers and their status',
  needs: readers,
  agents,
  query: z.strictObject({
    after: shortText('The `next` of the previous page').optional(),
    q: searchedWords('Words in the name, title, address or program'),
    limit: pageLimit(50, 200),
  }),
  answer: { description: 'A page of servers', schema: pageOf(mcpServer) },
  async run({ after = '', limit, q }, { caller, parts: { gateway, servers, wake } }) {
    await wake(caller.tenant)
    const status = new Map(gateway.statusOf(caller.tenant).map((one) => [one.server, one]))
    // By what the caller is shown: a search must not reveal hidden fields.
    const rest = (await servers.list(caller.tenant))
      .filter(({ name }) => name > after)
      .map((known) => toMcpServer(known, status.get(known.name), caller))
      .filter((server) => fitsWords(q, wordsOfServer(server)))
    const items = rest.slice(0, limit)
    const next = items.at(-1)?.name
    return rest.length > items.length && next !== undefined ? { items, next } : { items }
  },
})

const addMcpServer = define({
  http: 'POST /api/v1/mcp-servers',
  summary: 'Add an MCP server',
  description:
    'Its tools appear as `mcp:<name>:<tool>`. Only owners and admins of the default tenant can add programs (`command`), and only if the configuration allows it.',
  needs,
  agents,
  body: mcpServerRequest,
  answer: { ...asServer, status: 201 },
  refusals,
  async run({ name, ...spec }, { caller, parts }) {
    await addServer(parts, caller, { name, spec })
    return showServer(parts, caller, name)
  },
})

const findMcpServer = define({
  http: 'GET /api/v1/mcp-servers/{name}',
  summary: 'Read one MCP server',
  needs: readers,
  agents,
  params,
  answer: asServer,
  run: ({ name }, { caller, parts }) => showServer(parts, caller, name),
})

const changeMcpServer = define({
  http: 'PATCH /api/v1/mcp-servers/{name}',
  summary: 'Change an MCP server',
  description: 'Fields in the request replace the previous ones; null removes one.',
  needs,
  agents,
  params,
  body: mcpServerChange,
  answer: asServer,
  refusals,
  async run({ name, ...change }, { caller, parts }) {
    await changeServer(parts, caller, { name, change })
    return showServer(parts, caller, name)
  },
})

const removeMcpServer = define({
  http: 'DELETE /api/v1/mcp-servers/{name}',
  summary: 'Remove an MCP server with its pins and sign-ins',
  needs,
  agents,
  params,
  refusals,
  run: ({ name }, { caller, parts }) => removeServer(parts, caller, name),
})

const testMcpServer = define({
  http: 'POST /api/v1/mcp-servers/{name}/test',
  summary: 'Test an MCP server',
  description:
    'Connects, lists the tools, and reports problems with their fix; changes nothing. With `server` in the body, tests a server that has not been added.',
  needs,
  agents,
  params,
  body: testRequest,
  isBodyOptional: true,
  answer: { description: 'What came of it', schema: mcpServerTest },
  async run({ name, server }, { caller, parts }) {
    const { gateway, servers, store, testPermits } = parts
    const { tenant, principal } = caller
    const spec = server === undefined ? await findSpec() : checkSpec()
    const { enabled: _enabled, ...facts } = toFacts(spec)
    // Nothing else about a test is stored, and it may have disclosed secrets.
    if (facts.secrets !== undefined) {
      const data = { server: name, ...facts }
      const event = { type: 'mcp.server.tested', at: storeTime(), data } as const
      await store.events.record([{ tenant, principal, events: [event] }])
    }
    return testPermits.run(tenant, () => tryServer(gateway, { caller, name, spec }))

    async function findSpec() {
      const known = await servers.findUsable(caller, name)
      assertOwner(caller, known)
      return known.spec
    }
    function checkSpec() {
      checkName(name, parts.declared)
      const checked = checkServer(server, caller, parts.terms)
      assertSecretUse(checked, caller)
      return checked
    }
  },
})

const refreshMcpServer = define({
  http: 'POST /api/v1/mcp-servers/{name}/refresh',
  summary: 'Connect to an MCP server now and list its tools again',
  description:
    'With `restart`, its processes, connections and running calls are ended first: on all nodes, or only on this one if the configuration declares it.',
  needs,
  agents,
  params,
  body: refreshRequest,
  isBodyOptional: true,
  answer: asServer,
  run: ({ name, restart = false }, { caller, parts }) =>
    refreshServer(parts, caller, { name, restart }),
})

/** Managing MCP servers, by library method. */
export const mcpServerOperations = {
  listMcpServers,
  addMcpServer,
  findMcpServer,
  changeMcpServer,
  removeMcpServer,
  testMcpServer,
  refreshMcpServer,
}

function wordsOfServer({ name, title, url, command, args = [] }: McpServer) {
  return [name, title, url, command, ...args]
}

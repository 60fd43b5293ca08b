/** One of the servers that `mcp.ts` compares, in a process of its own. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serve } from '@hono/node-server'
import { createMcpHonoApp } from '@modelcontextprotocol/hono'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'
import { HttpTransport } from '@tmcp/transport-http'
import { McpServer as TmcpServer } from 'tmcp'
import { z } from 'zod'
import { createCrib } from '../src/app/index.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { serveHttp } from '../src/doors/http/serve-http.ts'
import { addNumbers, benchTool } from './fixtures.ts'
import { serveRelay } from './mcp-relay.ts'

process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
const inputSchema = z.object({ a: z.number(), b: z.number(), label: z.string().nullable() })
const outputSchema = z.object({ sum: z.number(), label: z.string() })
const facts = { title: 'Add', description: 'Adds two numbers.', outputSchema }
const name = 'bench_add'

function answer(input: z.output<typeof inputSchema>) {
  const structuredContent = addNumbers(input)
  const text = JSON.stringify(structuredContent)
  return { content: [{ type: 'text' as const, text }], structuredContent }
}

const kinds: Record<string, (given?: string) => Promise<void> | void> = {
  crib: serveCrib,
  gateway: serveGateway,
  relay: serveRelay,
  tmcp: serveTmcp,
  sdk: serveSdk,
}
const [kind = '', given] = process.argv.slice(2)
await kinds[kind]?.(given)

/** An agent's key, so that policy has something to decide; its calls are recorded before they are answered. */
async function serveCrib(database?: string): Promise<void> {
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  const crib = await createCrib({
    config: {
      agents: [{ slug: 'bench', tools: { allow: ['bench.*'], deny: ['bench.remove'] } }],
      policy: { allow: [], deny: ['shell.*'] },
    },
    data,
    ...(database !== undefined && { database }),
    tools: [benchTool('bench.add')],
  })
  await listen(crib)
}

/** The same over one hop more: the tool is that of a server on stdio. */
async function serveGateway(fixture = ''): Promise<void> {
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  const mcpServers = { echo: { command: process.execPath, args: [fixture], trustHints: ['*'] } }
  const agents = [{ slug: 'bench', tools: { allow: ['mcp:*'] } }]
  const crib = await createCrib({ config: { agents, mcpServers }, data })
  await listen(crib)
}

async function listen({ api }: Awaited<ReturnType<typeof createCrib>>): Promise<void> {
  const owner = {
    tenant: 'default',
    principal: { kind: 'user', id: 'owner' },
    permissions: ['*'],
    runtime: 'api',
  } as const
  const key = { name: 'bench', scopes: ['tools.call'], agent: 'bench' }
  const { token } = await api.createKey(owner, key)
  const { url } = await serveHttp(createHttpApp({ api, version: 'bench' }), {
    port: 0,
    host: '127.0.0.1',
  })
  process.send?.({ url: `${url}/mcp`, key: token })
}

function serveTmcp(): void {
  const adapter = new ZodJsonSchemaAdapter()
  const server = new TmcpServer(
    { name: 'bench', version: '1', description: 'bench' },
    { adapter, capabilities: { tools: {} } },
  )
  server.tool({ name, schema: inputSchema, ...facts }, answer)
  const transport = new HttpTransport(server, { path: '/mcp' })
  announce(
    async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
  )
}

/** As its documentation shows it. */
function serveSdk(): void {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bench', version: '1' })
    server.registerTool(name, { inputSchema, ...facts }, answer)
    return server
  })
  const app = createMcpHonoApp()
  app.all('/mcp', (context) =>
    handler.fetch(context.req.raw, { parsedBody: context.get('parsedBody' as never) }),
  )
  announce(app.fetch)
}

function announce(fetch: (request: Request) => Response | Promise<Response>): void {
  serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
    process.send?.({ url: `http://127.0.0.1:${port}/mcp` })
  })
}

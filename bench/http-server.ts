/** One of the two servers that `http.ts` compares, in a process of its own. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createCrib } from '../src/app/index.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { serveHttp } from '../src/doors/http/serve-http.ts'
import { addNumbers, benchTool } from './fixtures.ts'

process.on('SIGTERM', () => process.exit(0))
const [kind, database] = process.argv.slice(2)
if (kind === 'bare') serveBare()
else await serveCrib()

function serveBare(): void {
  const app = new Hono()
  app.post('/api/v1/tools/bench.add/calls', async (context) => {
    const { input } = await context.req.json<{ input: Parameters<typeof addNumbers>[0] }>()
    return context.json({ callId: 'call_0', status: 'completed', output: addNumbers(input) })
  })
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
    process.send?.({ url: `http://127.0.0.1:${port}/api/v1/tools/bench.add/calls` })
  })
}

async function serveCrib(): Promise<void> {
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  const crib = await createCrib({ config: {}, data, database, tools: [benchTool('bench.add')] })
  const owner = {
    tenant: 'default',
    principal: { kind: 'user', id: 'owner' },
    permissions: ['*'],
    runtime: 'api',
  } as const
  const { token } = await crib.api.createKey(owner, { name: 'bench', scopes: ['tools.call'] })
  const { url } = await serveHttp(createHttpApp({ api: crib.api, version: 'bench' }), {
    port: 0,
    host: '127.0.0.1',
  })
  process.send?.({ url: `${url}/api/v1/tools/bench.add/calls`, key: token })
}

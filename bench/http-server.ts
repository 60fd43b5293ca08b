/** One of the servers that `http.ts` compares, in a process of its own. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { createCrib } from '../src/app/index.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { serveHttp } from '../src/doors/http/serve-http.ts'
import { addNumbers, benchTool } from './fixtures.ts'

process.on('SIGTERM', () => process.exit(0))
const [kind, database] = process.argv.slice(2)
if (kind === 'bare') serveBare(async () => undefined)
else if (kind === 'recording') serveBare(await openRecord())
else await serveCrib()

type RecordCall = (id: string, input: unknown, output: unknown) => Promise<unknown>

/** What a user would write instead: one row per request, on disk before the response. */
async function openRecord(): Promise<RecordCall> {
  const table =
    'create table calls (id text primary key, tool text not null, at timestamptz not null default now(), input jsonb not null, output jsonb not null)'
  const insert = 'insert into calls (id, tool, input, output) values ($1, $2, $3, $4)'
  const toValues = (...[id, input, output]: Parameters<RecordCall>) => [
    id,
    'bench.add',
    JSON.stringify(input),
    JSON.stringify(output),
  ]
  if (database === undefined) {
    const db = await PGlite.create(await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-')))
    await db.exec(table)
    return (...call) => db.query(insert, toValues(...call))
  }
  const pool = new pg.Pool({ connectionString: database, max: 32 })
  await pool.query(table)
  return (...call) => pool.query({ name: 'insert', text: insert, values: toValues(...call) })
}

function serveBare(record: RecordCall): void {
  const app = new Hono()
  app.post('/api/v1/tools/bench.add/calls', async (context) => {
    const { input } = await context.req.json<{ input: Parameters<typeof addNumbers>[0] }>()
    const output = addNumbers(input)
    const callId = `call_${crypto.randomUUID()}`
    await record(callId, input, output)
    return context.json({ callId, status: 'completed', output })
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

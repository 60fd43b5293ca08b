/**
 * A crib inside an app of your own: your routes at the root, the crib under /crib. Run it, and it
 * listens on port 3000 (or PORT) and prints a request to try.
 */
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createCrib, type Crib, type CribOptions, defineTool, z } from 'toolcrib'

const shout = defineTool({
  name: 'text.shout',
  description: 'Turn a sentence into capital letters.',
  effect: 'read',
  inputSchema: z.object({ text: z.string() }),
  outputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => ({ text: text.toUpperCase() }),
})

/** The app and its crib. `/crib/api/v1/…` and `/crib/mcp` are the crib's, everything else is yours. */
export async function openApp(options: CribOptions = {}): Promise<{ app: Hono; crib: Crib }> {
  const crib = await createCrib({ tools: [shout], http: { basePath: '/crib' }, ...options })
  const app = new Hono()
  app.get('/', (context) => context.text('My app'))
  app.all('/crib/*', (context) => crib.fetch(context.req.raw))
  // In the app itself no key is needed: this is the owner.
  app.get('/shout/:text', async (context) => {
    const result = await crib.call(shout, { text: context.req.param('text') })
    return result.status === 'completed'
      ? context.text(result.output.text)
      : context.text(result.error?.message ?? result.status, 500)
  })
  return { app, crib }
}

/** A key for others, who come over HTTP. */
export async function createKey(crib: Crib): Promise<string> {
  const owner = {
    tenant: 'default',
    principal: { kind: 'user', id: 'owner' },
    permissions: ['*'],
    runtime: 'api',
  } as const
  return (await crib.api.createKey(owner, { name: 'example', scopes: ['tools.call'] })).token
}

if (realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const { app, crib } = await openApp({ data: '.toolcrib-embed' })
  const key = await createKey(crib)
  serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) }, ({ port }) => {
    console.log(`http://localhost:${port}/shout/hello`)
    console.log(
      `curl http://localhost:${port}/crib/api/v1/tools/text.shout/calls -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '{"input":{"text":"hello"}}'`,
    )
  })
}

/** One of the servers that `streams.ts` compares, in a process of its own. It writes when it is told to. */
import { createServer, type ServerResponse } from 'node:http'
import { mkdtemp } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCrib } from '../src/app/index.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { serveHttp } from '../src/doors/http/serve-http.ts'
import { benchTool, sampleInput } from './fixtures.ts'

/** How many calls to make, with three events each, and how many at a time. */
export interface WriteOrder {
  calls: number
  atOnce: number
}

process.on('SIGTERM', () => process.exit(0))
const [kind, database] = process.argv.slice(2)
let peakBytes = 0
setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 50)
const { url, key, write } = kind === 'bare' ? await serveBare() : await serveCrib()
process.on('message', (order: WriteOrder | 'memory') => {
  if (order === 'memory') tellMemory()
  else void write(order).then(() => process.send?.({ written: order.calls }))
})
process.send?.({ url, key })

/** The most since it was asked for last. */
function tellMemory(): void {
  process.send?.({ megabytes: peakBytes / 1_048_576 })
  peakBytes = 0
}

/** The least that can be done: every event to every open answer. */
async function serveBare() {
  const readers = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(': heartbeat\n\n')
    readers.add(response)
    response.on('close', () => readers.delete(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let number = 0
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    key: undefined,
    async write({ calls, atOnce }: WriteOrder) {
      for (let call = 0; call < calls; call += atOnce) {
        const frames = Buffer.from(
          Array.from({ length: atOnce * 3 }, () => toFrame((number += 1))).join(''),
        )
        for (const reader of readers) reader.write(frames)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

/** As long as one of a call's events. */
function toFrame(number: number): string {
  const id = String(number).padStart(43, '0')
  const data = { id, seq: 1, at: new Date(), tenant: 'default', data: 'x'.repeat(200) }
  return `id: ${id}\nevent: call.output\ndata: ${JSON.stringify(data)}\n\n`
}

async function serveCrib() {
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  const crib = await createCrib({ config: {}, data, database, tools: [benchTool('bench.add')] })
  const owner = {
    tenant: 'default',
    principal: { kind: 'user', id: 'owner' },
    permissions: ['*'],
    runtime: 'api',
  } as const
  const { token } = await crib.api.createKey(owner, { name: 'bench', scopes: ['audit.read'] })
  const { url } = await serveHttp(createHttpApp({ api: crib.api, version: 'bench' }), {
    port: 0,
    host: '127.0.0.1',
  })
  return {
    url: `${url}/api/v1/events?after=now`,
    key: token,
    async write({ calls, atOnce }: WriteOrder) {
      for (let call = 0; call < calls; call += atOnce) {
        const label = String(performance.timeOrigin + performance.now())
        const batch = Array.from({ length: atOnce }, () =>
          crib.call('bench.add', { ...sampleInput, label }, { durable: true }),
        )
        await Promise.all(batch)
      }
    },
  }
}

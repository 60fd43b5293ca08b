import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { canonicalJson } from '../src/core/kernel/json/canonical-json.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { serveWeb, type WebServer } from './setup/web-server.ts'

const operations = 1200
const megabytes = 13

let server: WebServer
let store: OpenStores
let crib: OpenCrib
let text: string

/** As large as the largest public documents, and with as many references. */
function largeDocument(): string {
  const filler = 'A sentence about this field. '.repeat(8)
  const schemas = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [
      `Thing${at}`,
      {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'integer' },
          next: { $ref: `#/components/schemas/Thing${(at + 1) % 900}` },
          other: { $ref: `#/components/schemas/Thing${(at * 7 + 3) % 900}` },
          ...Object.fromEntries(
            Array.from({ length: 30 }, (_, field) => [
              `field${field}`,
              { type: ['string', 'null'], description: filler },
            ]),
          ),
        },
      },
    ]),
  )
  const body = { type: 'object', properties: { name: { type: 'string', description: filler } } }
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, at) => {
      const schema = { $ref: `#/components/schemas/Thing${at % 900}` }
      const content = { 'application/json': { schema } }
      const operation = {
        operationId: `things/read-${at}`,
        description: filler.repeat(4),
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: body } } },
        responses: { 200: { description: 'ok', content } },
      }
      return [`/things/${at}/{id}`, { post: operation }]
    }),
  )
  const document = { openapi: '3.1.0', info: { title: 'Large', version: '1' }, paths }
  return JSON.stringify({ ...document, servers: [{ url: '/' }], components: { schemas } })
}

beforeAll(async () => {
  text = largeDocument()
  text += ' '.repeat(Math.max(0, megabytes * 1_000_000 - text.length))
  server = await serveWeb((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  store = await openTestStore()
  crib = await openCrib({
    cwd: process.cwd(),
    data: '/nonexistent',
    env: {},
    store,
    onWarning: () => undefined,
  })
})
afterAll(async () => {
  await crib.close()
  await Promise.all([store.close(), server.close()])
})

/**
 * The processor time of one preview, beside that of writing the same document in canonical form, which
 * allocates and walks as it does; and the memory that it took at most.
 */
async function measure(): Promise<{ ms: number; times: number; megabytes: number }> {
  const value: unknown = JSON.parse(text)
  const writing = await processorMs(() => canonicalJson(value))
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
  const ms = await processorMs(async () => {
    const preview = await crib.api.previewApi(ownerOf(), { url: `${server.url}/openapi.json` })
    expect(preview.operations).toHaveLength(operations)
  })
  clearInterval(timer)
  return { ms, times: ms / writing, megabytes: (most - before) / 1_000_000 }
}

/** Of all threads: what the rest of the machine does changes little of it. */
async function processorMs(work: () => unknown): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

test('a preview of 1,200 operations in 13 MB takes as long as writing it 40 times, and 200 MB', async () => {
  const tries = []
  for (let run = 0; run < 4; run += 1) tries.push(await measure())
  const said = JSON.stringify(tries)
  expect(Math.min(...tries.map(({ times }) => times)), said).toBeLessThan(40)
  expect(Math.min(...tries.map((one) => one.megabytes)), said).toBeLessThan(200)
})

test('an API of 1,200 operations is imported, and one of them is found at once', async () => {
  await crib.api.addApi(ownerOf(), { name: 'large', url: `${server.url}/openapi.json` })
  const tool = await crib.api.findTool(ownerOf(), { name: 'api:large:things.read-7' })
  expect(tool).toMatchObject({ state: 'ready' })
})

import { isBuiltin } from 'node:module'
import path from 'node:path'
import vm from 'node:vm'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerOf } from '../src/app/owner.ts'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { createTestCrib } from '../src/testing/create-test-crib.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../src/doors/http/serve-http.ts'

interface Bundle {
  code: string
  /** Modules of Node that something in it asks for. */
  builtins: string[]
  /** Packages whose code is in it. */
  packages: string[]
}

/** As somebody bundles it for a page: one script that leaves its exports in `entry`. */
async function bundle(file: string): Promise<Bundle> {
  const builtins: string[] = []
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'note-builtins',
        enforce: 'pre',
        resolveId(id) {
          if (isBuiltin(id)) builtins.push(id)
          return null
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      lib: { entry: path.resolve(file), formats: ['iife'], name: 'entry' },
    },
  })
  const outputs = (Array.isArray(made) ? made : [made]).flatMap((one) =>
    'output' in one ? one.output : [],
  )
  const chunks = outputs.filter((output) => output.type === 'chunk')
  const modules = chunks.flatMap(({ modules }) => Object.keys(modules))
  const packages = modules.flatMap((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [])
  return {
    code: chunks.map(({ code }) => code).join('\n'),
    builtins,
    packages: [...new Set(packages)].toSorted(),
  }
}

/** Runs it where there is nothing of Node, and gives what the script ends with. */
function runInPage(code: string, globals: Record<string, unknown> = {}): unknown {
  const page = vm.createContext({
    URL,
    URLSearchParams,
    TextEncoder,
    TextDecoder,
    AbortController,
    AbortSignal,
    Blob,
    Headers,
    ReadableStream,
    setTimeout,
    clearTimeout,
    crypto,
    ...globals,
  })
  return vm.runInContext(code, page)
}

test('toolcrib/define is free of Node and of all that is heavy, and runs in a page', async () => {
  const { code, builtins, packages } = await bundle('src/define/index.ts')
  expect(builtins).toEqual([])
  expect(packages).toEqual(['re2js', 'zod'])
  const program = `
    const { defineTool, definePack, ToolError, z } = entry
    const add = defineTool({
      name: 'sum.add', description: 'Add.', effect: 'read',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      execute: ({ a, b }) => ({ sum: a + b }),
    })
    const parsed = add.parseInput({ a: 1, b: '2' })
    JSON.stringify([add.contract.name, parsed.issues[0].path, new ToolError('timeout').retryable])`
  expect(runInPage(`${code}\n${program}`)).toBe('["sum.add","/b",true]')
})

let crib: Crib
let server: HttpServer
let key: string
beforeAll(async () => {
  const facts = { description: 'For a page.', inputSchema: z.object({ n: z.number() }) } as const
  const execute = ({ n }: { n: number }) => ({ twice: 2 * n })
  crib = await createTestCrib({
    tools: [
      defineTool({ ...facts, name: 'page.read', effect: 'read', execute }),
      defineTool({ ...facts, name: 'page.ask', effect: 'write', approval: 'always', execute }),
    ],
  })
  const scopes = ['tools.call', 'audit.read', 'approvals.decide']
  key = (await crib.api.createKey(ownerOf(), { name: 'page', scopes })).token
  server = await serveHttp(createHttpApp({ api: crib.api, version: '0' }), {
    port: 0,
    host: '127.0.0.1',
  })
})
afterAll(async () => {
  await server.close()
  await crib.close()
})

test('toolcrib/client is free of Node and of SDKs, and uses a crib from a page', async () => {
  const { code, builtins, packages } = await bundle('src/client/index.ts')
  expect(builtins).toEqual([])
  expect(packages).toEqual([])
  const program = `(async () => {
    const crib = entry.connectCrib({ url: ${JSON.stringify(server.url)}, key: () => ${JSON.stringify(key)} })
    const tools = (await crib.tools({ pack: 'page' })).map(({ name }) => name)
    const { inputSchema } = await crib.tool('page.read')
    const read = await crib.call('page.read', { n: 4 })
    const wrong = await crib.call('page.read', { n: 'four' })
    const upload = await crib.upload(new Blob(['a,b'], { type: 'text/csv' }))
    const waiting = await crib.call('page.ask', { n: 1 })
    const pending = await crib.approvals.list({ status: 'pending' })
    await crib.approvals.approve(waiting, { reason: 'fine' })
    const done = await crib.calls.wait(waiting.callId)
    const listed = await crib.calls.list({ tool: 'page.ask' })
    const again = await crib.call('page.ask', { n: 2 })
    const cancelled = await crib.calls.cancel(again.callId)
    const types = []
    for await (const { type } of crib.events({ callId: waiting.callId, follow: true })) types.push(type)
    const past = []
    for await (const { type } of crib.events({ callId: waiting.callId, limit: 2 })) past.push(type)
    return JSON.stringify({
      tools, required: inputSchema.required, read: read.output, wrong: wrong.error.code,
      upload: [upload.mediaType, upload.bytes], waiting: waiting.status,
      pending: pending.items.length, done: [done.status, done.output], listed: listed.items.length,
      cancelled: cancelled.status, first: types[0], last: types.at(-1), isSame: past.join() === types.join(),
    })
  })()`
  const said = await (runInPage(`${code}\n${program}`, { fetch }) as Promise<string>)
  expect(JSON.parse(said)).toEqual({
    tools: ['page.ask', 'page.read'],
    required: ['n'],
    read: { twice: 8 },
    wrong: 'invalid_input',
    upload: ['text/csv', 3],
    waiting: 'waiting',
    pending: 1,
    done: ['completed', { twice: 2 }],
    listed: 1,
    cancelled: 'cancelled',
    first: 'call.requested',
    last: 'call.completed',
    isSame: true,
  })
})

test('a line that breaks is opened again where it stopped, and what is refused is thrown', async () => {
  const { connectCrib } = await import('../src/client/index.ts')
  let opened = 0
  // Every line breaks after its first event.
  const breaking: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
      return response
    opened += 1
    const [first] = (await response.text()).split(/(?<=\n\n)/)
    return new Response(first, { headers: response.headers })
  }
  const remote = connectCrib({ url: server.url, key, fetch: breaking })
  const { callId = '' } = await crib.call('page.read', { n: 1 })
  const types: string[] = []
  for await (const { type } of remote.events({ callId, follow: true })) types.push(type)
  expect(types).toEqual(['call.requested', 'call.started', 'call.completed'])
  expect(opened).toBe(3)
  const stranger = connectCrib({ url: server.url, key: 'crib_not_a_key' })
  await expect(
    stranger.events({ follow: true })[Symbol.asyncIterator]().next(),
  ).rejects.toMatchObject({
    code: 'unauthorized',
  })
})

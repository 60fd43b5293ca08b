import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { startServerProcess } from './setup/server-process.ts'

/*
 * One worker for all: what does not let go of it shows in the test that comes next.
 */
const tools = `import { defineTool, ToolError, z } from 'toolcrib'
import { z as own } from 'zod'
import { isMainThread, threadId } from 'node:worker_threads'
import { word } from './word.ts'
const facts = { description: 'A tool that runs in a worker, for tests.', effect: 'read', isolation: 'worker' } as const
const none = z.object({})
export const where = defineTool({ ...facts, name: 'w.where', inputSchema: own.object({ n: own.number() }),
  execute: ({ n }) => ({ n, isMainThread, threadId, word }) })
export const spin = defineTool({ ...facts, name: 'w.spin', timeoutMs: 700, inputSchema: none,
  execute() { for (;;); } })
export const exits = defineTool({ ...facts, name: 'w.exits', inputSchema: none,
  execute() { process.exit(3) } })
export const hungry = defineTool({ ...facts, name: 'w.hungry', inputSchema: none,
  execute() { const held = []; for (;;) held.push(Array.from({ length: 100_000 }, () => Math.random())) } })
export const later = defineTool({ ...facts, name: 'w.later', inputSchema: none,
  execute() { setTimeout(() => { throw new TypeError('too late') }, 5); return new Promise(() => undefined) } })
export const fails = defineTool({ ...facts, name: 'w.fails', inputSchema: none,
  execute() { throw new ToolError('upstream_failed', 'Their server is down', { retryable: true, fix: 'Wait.', issues: [{ path: '/a', message: 'b' }] }) } })
export const breaks = defineTool({ ...facts, name: 'w.breaks', inputSchema: none,
  execute() { throw new RangeError('out of range') } })
export const counts = defineTool({ ...facts, name: 'w.counts', inputSchema: none,
  async *execute() { yield { n: 1 }; yield { n: 2 }; return { n: 3, at: new Date(0) } } })
export const asks = defineTool({ ...facts, name: 'w.asks', inputSchema: none, cost: 1,
  async execute(_, ctx) {
    ctx.log({ note: 'from a worker' })
    ctx.cost(2)
    ctx.progress({ progress: 1, total: 2 })
    const other = await ctx.call('w.where', { n: 7 }).catch((error) => ({ code: error.code }))
    const plain = await ctx.call('m.plain', { text: 'x' })
    const bad = await ctx.call('m.plain', { text: 5 }).catch((error) => error)
    const { of } = await ctx.tools.search('plain', 5)
    return { other, plain, isToolError: bad instanceof ToolError, code: bad.code, of, tenant: ctx.tenant, state: ctx.state === undefined }
  } })
export const heeds = defineTool({ ...facts, name: 'w.heeds', timeoutMs: 20_000, inputSchema: none,
  execute: (_, { signal, log }) => new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); log({ begun: true }) }) })
export const edits = defineTool({ ...facts, name: 'w.edits', effect: 'write', inputSchema: none,
  async execute(_, { workspace }) {
    if ((await workspace.stat('count')) === undefined) await workspace.write('count', '0', { overwrite: false }).catch(() => 0)
    await workspace.edit('count', (text) => String(Number(text) + 1))
    const { bytes } = await workspace.read('count')
    return { count: Number(new TextDecoder().decode(bytes)), isBad: await workspace.read('../x').catch((error) => error.code) }
  } })
export const odd = defineTool({ ...facts, name: 'w.odd', inputSchema: z.object({ n: z.number().transform((n) => () => n) }),
  execute: () => 1 })
`

const plain = defineTool({
  name: 'm.plain',
  description: 'A tool that runs where the server runs.',
  effect: 'read',
  inputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => ({ text }),
})

let folder: string
let crib: Crib
const wordFile = () => path.join(folder, 'word.ts')
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolcrib worker ')))
  await writeFile(path.join(folder, 'w.tool.ts'), tools)
  await writeFile(wordFile(), `export const word: string = 'first'\n`)
  const config = { limits: { toolWorkers: 1, toolWorkerMemoryMb: 64 } }
  crib = await createTestCrib({ tools: [folder, plain], config, watch: true })
})
afterAll(async () => {
  await crib.close()
  await rm(folder, { recursive: true, force: true })
})

test('the function runs in a thread of its own, which is used again', async () => {
  const first = await crib.call('w.where', { n: 1 })
  expect(first.output).toMatchObject({ n: 1, isMainThread: false, word: 'first' })
  const again = await crib.call('w.where', { n: 1 })
  expect(again.output).toEqual(first.output)
  const many = await Promise.all([1, 2, 3].map((n) => crib.call('w.where', { n })))
  expect(many.map(({ output }) => (output as { n: number }).n)).toEqual([1, 2, 3])
})

test('a tool that spins is ended at its deadline, and nobody else waits for it', async () => {
  let turns = 0
  const count = setInterval(() => (turns += 1), 10)
  const result = await crib.call('w.spin')
  clearInterval(count)
  expect(result.error?.code).toBe('timeout')
  // In the main thread it would have been none.
  expect(turns).toBeGreaterThan(5)
  expect((await crib.call('w.where', { n: 2 })).output).toMatchObject({ n: 2 })
})

test('files of the workspace are read and edited from a worker', async () => {
  const first = await crib.call('w.edits', {}, { sessionId: 'files' })
  expect(first.output).toEqual({ count: 1, isBad: 'invalid_input' })
  const many = await Promise.all(
    Array.from({ length: 4 }, () => crib.call('w.edits', {}, { sessionId: 'files' })),
  )
  expect(many.map(({ status }) => status)).toEqual(Array(4).fill('completed'))
  const last = await crib.call('w.edits', {}, { sessionId: 'files' })
  expect(last.output).toMatchObject({ count: 6 })
})

test('one that is cancelled hears of it', async () => {
  const cancel = new AbortController()
  const calling = crib.call('w.heeds', {}, { signal: cancel.signal })
  setTimeout(() => cancel.abort(), 200)
  expect((await calling).status).toBe('cancelled')
  expect((await crib.call('w.where', { n: 3 })).status).toBe('completed')
})

test.each([
  ['w.exits', /^The tool crashed: it ended its thread \(exit code 3\)$/],
  ['w.hungry', /^The tool used more than 64 MB of memory$/],
  ['w.later', /^The tool crashed: TypeError: too late$/],
])('%s fails its own call alone', async (name, message) => {
  const [crashed, other] = await Promise.all([crib.call(name), crib.call('w.where', { n: 4 })])
  expect(crashed.error?.code).toBe('tool_crashed')
  expect(crashed.error?.message).toMatch(message)
  expect(other.output).toMatchObject({ n: 4 })
})

test('what it throws arrives as it was thrown', async () => {
  expect((await crib.call('w.fails')).error).toEqual({
    code: 'upstream_failed',
    message: 'Their server is down',
    retryable: true,
    fix: 'Wait.',
    issues: [{ path: '/a', message: 'b' }],
  })
  const { error } = await crib.call('w.breaks')
  expect([error?.code, error?.message]).toEqual(['tool_crashed', 'out of range'])
  expect((await crib.call('w.odd', { n: 1 })).error).toMatchObject({
    code: 'invalid_tool',
    message: expect.stringContaining("can't be sent to a worker"),
  })
})

test('partial output, and all that a tool asks of its context, goes between the threads', async () => {
  const parts: unknown[] = []
  const counted = await crib.call('w.counts', {}, { onOutput: (output) => parts.push(output) })
  expect(counted.output).toEqual({ n: 3, at: '1970-01-01T00:00:00.000Z' })
  expect(JSON.stringify(parts)).toContain('{"n":2}')
  // A tool in a worker may call another one in a worker, even where there is only one of them.
  const asked = await crib.call('w.asks')
  expect(asked.output).toEqual({
    other: { n: 7, isMainThread: false, threadId: expect.any(Number), word: 'first' },
    plain: { text: 'x' },
    isToolError: true,
    code: 'invalid_input',
    of: expect.any(Number),
    tenant: 'default',
    state: true,
  })
  const told = async () => {
    const events = []
    for await (const event of crib.events({ callId: asked.callId ?? '' })) events.push(event)
    return JSON.stringify(events)
  }
  await expect.poll(told).toContain('from a worker')
})

test('a server answers at once while a tool spins', async () => {
  const data = path.join(folder, 'data')
  const server = await startServerProcess({ cwd: folder, data, args: ['--tools', folder] })
  try {
    const state = { isSettled: false }
    const calling = server
      .request('/api/v1/tools/w.spin/calls', { json: { input: {} } })
      .then((response) => response.json())
      .finally(() => (state.isSettled = true))
    let answered = 0
    while (!state.isSettled) answered += (await server.request('/healthz')).ok ? 1 : 0
    expect(await calling).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
    // In the main thread it would never end, and nothing after the first would be answered.
    expect(answered).toBeGreaterThan(1)
  } finally {
    expect(await server.stop()).toBe(0)
  }
})

test('a changed file is used by the next call', async () => {
  await writeFile(wordFile(), `export const word: string = 'second'\n`)
  await expect
    .poll(async () => (await crib.call('w.where', { n: 5 })).output)
    .toMatchObject({ word: 'second' })
})

test('a tool without a file is refused, and so is one with create', async () => {
  const given = {
    name: 'x.given',
    description: 'Given as an object.',
    effect: 'read',
    isolation: 'worker',
  } as const
  const tool = defineTool({ ...given, inputSchema: z.object({}), execute: () => 1 })
  await expect(createTestCrib({ tools: [tool] })).rejects.toMatchObject({
    code: 'invalid_tool',
    fix: 'Put the tool into a *.tool.ts file of a tools folder, or leave isolation out.',
  })
  const create = () => ({ inputSchema: z.object({}), execute: () => 1 })
  expect(() => defineTool({ ...given, create })).toThrow(/isolation is worker, which needs execute/)
})

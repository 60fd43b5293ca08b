import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { defineTool, z } from '../src/app/index.ts'
import { openCrib, type OpenCrib, type OpenCribOptions } from '../src/app/open-crib.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { createTempDatabase, createTempFolder } from '../src/store/contract/temp-store.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const env = { TOOLCRIB_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function openNode(options: Partial<OpenCribOptions>): Promise<OpenCrib> {
  const folder = await createTempFolder()
  closing.push(folder.remove)
  const data = folder.path
  const crib = await openCrib({ cwd: data, data, env, config: {}, ...options })
  closing.push(crib.close)
  return crib
}

/** Sleeps as long as it is told, or until it is aborted. */
const nap = defineTool({
  name: 'test.nap',
  description: 'Sleeps.',
  effect: 'write',
  idempotent: true,
  inputSchema: z.object({ ms: z.number() }),
  async execute({ ms }, { signal }) {
    naps.push(ms)
    await new Promise((resolve) => {
      setTimeout(resolve, ms).unref()
      signal.addEventListener('abort', resolve)
    })
  },
})
const naps: number[] = []
const asking = defineTool({
  name: 'test.ask',
  description: 'Needs a person.',
  effect: 'read',
  approval: 'always',
  inputSchema: z.object({}),
  execute: () => 0,
})

/** Somebody who takes a notice and does not answer, until it hangs up. */
async function listenInSilence(): Promise<{ url: string; hangUp: () => void }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const hangUp = () => {
    server.closeAllConnections()
    server.close()
  }
  closing.push(hangUp)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, hangUp }
}

test('a node that stops takes no more work, also while a webhook keeps it waiting', async () => {
  naps.length = 0
  const { url, hangUp } = await listenInSilence()
  const limits = { concurrency: 1, drainMs: 2000 }
  const crib = await openNode({
    tools: [nap, asking],
    config: { limits, approvals: { webhook: { url } } },
  })
  const queue = (ms: number) =>
    crib.api.call({ tool: 'test.nap', input: { ms }, caller: owner, respondAsync: true })
  await crib.api.call({ tool: 'test.ask', input: {}, caller: owner })
  await queue(1000)
  const left = await queue(60_000)
  await expect.poll(() => naps).toEqual([1000])
  const drained = crib.drain()
  // What ran has long ended, and there would be room for more.
  await sleep(2500)
  hangUp()
  await drained
  expect(naps).toEqual([1000])
  const call = await crib.api.findCall(owner, { id: left.callId ?? '' })
  expect(call.status).toBe('queued')
})

test('a call in a process that only makes calls hears a cancel through another node', async () => {
  const { url: database, drop } = await createTempDatabase()
  closing.push(drop)
  const command = await openNode({ tools: [nap], database, recover: false })
  const server = await openNode({ tools: [nap], database })
  const begun = Promise.withResolvers<string>()
  const request = { tool: 'test.nap', input: { ms: 15_000 }, caller: owner }
  const result = command.api.call({ ...request, onCall: begun.resolve })
  const cancelled = await server.api.cancelCall(owner, { id: await begun.promise })
  expect([cancelled.status, (await result).status]).toEqual(['cancelled', 'cancelled'])
})

test('who cancels a running effect is told that it may have happened', async () => {
  const begun = Promise.withResolvers<string>()
  const make = (effect: 'read' | 'destructive') =>
    defineTool({
      name: `test.${effect}`,
      description: 'Runs until it is stopped.',
      effect,
      inputSchema: z.object({}),
      async execute(_input, { callId, signal }) {
        begun.resolve(callId)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    })
  const crib = await openNode({ tools: [make('destructive'), make('read')] })
  const cancelled = crib.api.call({ tool: 'test.destructive', input: {}, caller: owner })
  await crib.api.cancelCall(owner, { id: await begun.promise })
  expect(await cancelled).toMatchObject({
    status: 'cancelled',
    warnings: [expect.stringContaining('may have happened')],
  })
  const late = (tool: string) => crib.api.call({ tool, input: {}, caller: owner, timeoutMs: 50 })
  expect(await late('test.destructive')).toMatchObject({
    status: 'failed',
    error: { code: 'timeout' },
    warnings: [expect.stringContaining('may have happened')],
  })
  expect((await late('test.read')).warnings).toBeUndefined()
})

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Crib, type CribOptions, createCrib, defineTool, z } from '../src/app/index.ts'
import { openCrib } from '../src/app/open-crib.ts'
import { ToolError } from '../src/core/kernel/errors.ts'
import type { Tool } from '../src/core/kernel/tool.ts'
import { createTempDatabase, createTempFolder } from '../src/store/contract/temp-store.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { settingsFor } from '../src/store/contract/records.ts'
import { openStores } from '../src/features/open-stores.ts'

const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const

/** Nodes of one database share it. */
const masterKey = Buffer.alloc(32, 7).toString('base64')

const closing: (() => Promise<unknown>)[] = []
async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close()
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function background(name: string, execute: () => unknown, more: object = {}): Tool {
  return defineTool({
    name,
    description: 'Runs after its answer.',
    effect: 'read',
    execution: 'background',
    inputSchema: z.object({}),
    execute,
    ...more,
  })
}

/** The same on both stores: a folder of its own, or a database that other cribs can open too. */
const stores = {
  async pglite(options: CribOptions): Promise<Crib> {
    const crib = await createTestCrib(options)
    closing.push(() => crib.close())
    return crib
  },
  async postgres(options: CribOptions): Promise<Crib> {
    const database = options.database ?? (await createTemporary())
    const data = await createTempFolder()
    closing.push(data.remove)
    const env = { TOOLCRIB_MASTER_KEY: masterKey }
    const quiet = { config: {}, env, onWarning: () => undefined, data: data.path }
    const crib = await createCrib({ ...quiet, ...options, database })
    closing.push(() => crib.close())
    return crib
  },
}

async function createTemporary(): Promise<string> {
  const { url, drop } = await createTempDatabase()
  closing.push(drop)
  return url
}

async function typesOf(crib: Crib, callId: string): Promise<string[]> {
  const types: string[] = []
  for await (const { type } of crib.events({ callId })) types.push(type)
  return types
}

/** What the tools of the shared cribs have done. */
const seen = { flaky: 0, always: 0, never: 0, laterAt: 0, late: 0, running: 0, most: 0 }

const plainTools = [
  background(
    'test.flaky',
    () => {
      seen.flaky += 1
      if (seen.flaky < 3) throw new ToolError('upstream_failed', 'not yet')
      return seen.flaky
    },
    { retries: 3 },
  ),
  background(
    'test.always',
    () => {
      seen.always += 1
      throw new ToolError('upstream_failed', 'no')
    },
    { retries: 1 },
  ),
  background(
    'test.never',
    () => {
      seen.never += 1
      throw new ToolError('tool_failed', 'no')
    },
    { retries: 5 },
  ),
  background('test.later', () => (seen.laterAt = Date.now())),
  background('test.late', () => (seen.late += 1)),
  background(
    'test.limited',
    async () => {
      seen.running += 1
      seen.most = Math.max(seen.most, seen.running)
      await wait(40)
      seen.running -= 1
    },
    { concurrency: 2 },
  ),
  background('test.free', () => 'free'),
]

// Most of it is waiting, so all of it waits at once, on one crib a store.
describe.each(['pglite', 'postgres'] as const)('queued work on %s', (kind) => {
  let crib: Crib
  beforeAll(async () => {
    for (const name of Object.keys(seen)) seen[name as keyof typeof seen] = 0
    crib = await stores[kind]({ tools: plainTools })
  })
  afterAll(closeAll)

  describe.concurrent('together', () => {
    test('a failure that is worth another try is tried again, each time from the queue', async () => {
      const result = await crib.call('test.flaky', {}, { wait: 60 })
      expect([result.status, result.output, seen.flaky]).toEqual(['completed', 3, 3])
      expect(await typesOf(crib, result.callId ?? '')).toEqual([
        'call.requested',
        ...Array.from({ length: 3 }, () => ['call.queued', 'call.started']).flat(),
        'call.completed',
      ])
    })

    test('retries end, and what is not worth one has none', async () => {
      const [always, never] = await Promise.all(
        ['test.always', 'test.never'].map((tool) => crib.call(tool, {}, { wait: 60 })),
      )
      expect([always?.status, always?.error?.code, seen.always]).toEqual([
        'failed',
        'upstream_failed',
        2,
      ])
      expect([never?.status, never?.error?.code, seen.never]).toEqual(['failed', 'tool_failed', 1])
    })

    test('a delayed call starts at its time', async () => {
      const began = Date.now()
      const first = await crib.call('test.later', {}, { delay: 1.5 })
      expect(first.status).toBe('queued')
      const call = await crib.api.findCall(owner, { id: first.callId ?? '', wait: 60 })
      expect(call.status).toBe('completed')
      expect(seen.laterAt - began).toBeGreaterThanOrEqual(1500)
    })

    test('a tool runs no more often at once than it allows, the others go on', async () => {
      const calls = Array.from({ length: 12 }, () => crib.call('test.limited', {}, { wait: 60 }))
      const free = await crib.call('test.free', {}, { wait: 60 })
      expect([free.status, seen.most <= 2]).toEqual(['completed', true])
      const done = await Promise.all(calls)
      expect([new Set(done.map(({ status }) => status)), seen.most]).toEqual([
        new Set(['completed']),
        2,
      ])
    })

    test('a queued call can be cancelled before it runs, and then does not', async () => {
      const { callId = '' } = await crib.call('test.late', {}, { delay: 1 })
      expect((await crib.api.cancelCall(owner, { id: callId })).status).toBe('cancelled')
      await wait(2500)
      expect(seen.late).toBe(0)
      expect((await crib.api.findCall(owner, { id: callId })).status).toBe('cancelled')
    })
  })
})

describe.each(['pglite', 'postgres'] as const)('work that waits in line on %s', (kind) => {
  afterEach(closeAll)

  test('higher priorities go first', async () => {
    const order: number[] = []
    const [begun, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const tool = defineTool({
      name: 'test.order',
      description: 'Says when it ran.',
      effect: 'write',
      execution: 'background',
      inputSchema: z.object({ place: z.number() }),
      async execute({ place }) {
        begun.resolve()
        if (place === 0) await hold.promise
        order.push(place)
      },
    })
    const crib = await stores[kind]({ tools: [tool], config: { limits: { concurrency: 1 } } })
    const call = (place: number, priority?: number) =>
      crib.call('test.order', { place }, { priority })
    await call(0)
    await begun.promise
    for (const [place, priority] of [
      [3, -5],
      [2, 0],
      [1, 7],
    ] as const)
      await call(place, priority)
    hold.resolve()
    const last = await crib.call('test.order', { place: 4 }, { priority: -10, wait: 60 })
    expect([last.status, order]).toEqual(['completed', [0, 1, 2, 3, 4]])
  })

  test('a full queue says when to come back, and takes nothing it would drop', async () => {
    const hold = Promise.withResolvers<void>()
    const slow = background('test.slow', () => hold.promise)
    const limits = { concurrency: 1, queued: 5 }
    const crib = await stores[kind]({ tools: [slow], config: { limits } })
    const results = []
    for (let index = 0; index < 12; index += 1) results.push(await crib.call('test.slow', {}))
    const taken = results.filter(({ callId }) => callId !== undefined)
    const refused = results.filter(({ callId }) => callId === undefined)
    expect(taken.length).toBeGreaterThanOrEqual(4)
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map(({ error }) => error?.code))).toEqual(new Set(['rate_limited']))
    hold.resolve()
    for (const { callId = '' } of taken) {
      const call = await crib.api.findCall(owner, { id: callId, wait: 60 })
      expect(call.status).toBe('completed')
    }
  })
})

describe('queued work on several nodes', () => {
  afterEach(closeAll)

  test('the limits hold for all nodes together', async () => {
    let [running, most] = [0, 0]
    const count = async () => {
      running += 1
      most = Math.max(most, running)
      await wait(20)
      running -= 1
    }
    const tool = background('test.narrow', count, { concurrency: 3 })
    const database = await createTemporary()
    const first = await stores.postgres({ tools: [tool], database })
    const second = await stores.postgres({ tools: [tool], database })
    const calls = Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? second : first).call('test.narrow', {}, { wait: 60 }),
    )
    const done = await Promise.all(calls)
    expect(new Set(done.map((result) => result.status))).toEqual(new Set(['completed']))
    expect(most).toBe(3)
  })

  test('a call waits for the node that has its tool', async () => {
    const database = await createTemporary()
    const rare = background('test.rare', () => 'found')
    const common = background('test.common', () => 'here')
    const without = await stores.postgres({ tools: [common], database })
    const withIt = await stores.postgres({ tools: [common, rare], database })
    const results = await Promise.all(
      Array.from({ length: 6 }, () => withIt.call('test.rare', {}, { wait: 60 })),
    )
    expect(new Set(results.map(({ output }) => output))).toEqual(new Set(['found']))
    expect((await without.call('test.rare', {})).error?.code).toBe('tool_not_found')
  })

  test('calls of a tool with a queue of its own run also when it has lost its limit meanwhile', async () => {
    const database = await createTemporary()
    const limited = background('test.limited', () => 'done', { concurrency: 1 })
    const before = await stores.postgres({ tools: [limited], database })
    const { callId = '' } = await before.call('test.limited', {}, { delay: 1.5 })
    await before.close()
    const tools = [background('test.limited', () => 'done')]
    const crib = await stores.postgres({ tools, database })
    const call = await crib.api.findCall(owner, { id: callId, wait: 60 })
    expect([call.status, call.output]).toEqual(['completed', 'done'])
  })

  test('nodes know which tools the others have, for as long as they live', async () => {
    const { url, drop } = await createTempDatabase()
    closing.push(drop)
    const location = { kind: 'postgres', url } as const
    const [first, second] = await Promise.all(
      [0, 1].map(() => openStores(location, { ...settingsFor(), nodeTimeoutMs: 6000 })),
    )
    const has = (tool: string) => first?.toolDirectory?.isElsewhere(tool)
    const tools = ['mail.send']
    expect(await has('mail.send')).toBe(true)
    await second?.toolDirectory?.announce(() => tools)
    expect([await has('mail.send'), await has('mail.read')]).toEqual([true, false])
    tools.push('mail.read')
    await expect.poll(() => has('mail.read')).toBe(true)
    await second?.close()
    expect(await has('mail.send')).toBe(false)
    await first?.close()
  })

  test('a command on a shared database does its own work and takes nobody else’s', async () => {
    const database = await createTemporary()
    const runs: string[] = []
    const held = Promise.withResolvers<void>()
    const toolOf = (where: string) =>
      background('test.own', () => runs.push(where), { effect: 'write' })
    const server = await stores.postgres({
      tools: [toolOf('server'), background('test.hold', () => held.promise)],
      database,
      config: { limits: { concurrency: 1 } },
    })
    await server.call('test.hold', {})
    const queued = await Promise.all([1, 2, 3].map(() => server.call('test.own', {})))
    const data = await createTempFolder()
    closing.push(data.remove)
    const command = await openCrib({
      cwd: data.path,
      data: data.path,
      config: {},
      env: { TOOLCRIB_MASTER_KEY: masterKey },
      database,
      tools: [toolOf('command')],
      recover: false,
    })
    const own = await command.api.call({ tool: 'test.own', input: {}, caller: owner })
    await command.close()
    expect([own.status, runs]).toEqual(['completed', ['command']])
    held.resolve()
    for (const { callId = '' } of queued) {
      expect(await server.api.findCall(owner, { id: callId, wait: 60 })).toMatchObject({
        status: 'completed',
      })
    }
    expect(runs).toEqual(['command', 'server', 'server', 'server'])
  })
})

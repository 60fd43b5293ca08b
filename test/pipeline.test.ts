import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Crib, type CribEvent, defineTool, ToolError, z } from '../src/app/index.ts'
import type { CallOutput } from '../src/core/kernel/call-request.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/index.ts'

const any = z.object({})

function tool(name: string, execute: () => unknown, more: object = {}) {
  return defineTool({
    name,
    description: 'A tool for the tests of the pipeline.',
    effect: 'read',
    inputSchema: any,
    execute,
    ...more,
  })
}

let effects = 0
const cyclic: Record<string, unknown> = { name: 'ring' }
cyclic['self'] = cyclic

const tools = [
  defineTool({
    name: 'math.add',
    description: 'Adds two numbers and says a word.',
    effect: 'read',
    inputSchema: z.object({
      a: z.number(),
      b: z.number(),
      note: z.string().nullable(),
      deep: z.object({ word: z.string().nullable() }).nullable(),
    }),
    outputSchema: z.object({ sum: z.number(), note: z.string().nullable() }),
    execute: ({ a, b, note }) => ({ sum: a + b, note }),
  }),
  tool('odd.throws', () => {
    throw new Error('boom')
  }),
  tool('odd.fails', () => {
    throw new ToolError('upstream_failed', 'The other side answered 503')
  }),
  tool('odd.undefined', () => undefined),
  tool('odd.bigint', () => ({ big: 12345678901234567890n })),
  tool('odd.cycle', () => cyclic),
  tool('odd.huge', () => 'x'.repeat(50 * 1024 * 1024)),
  tool('odd.error-shape', () => ({ error: 'no such row' })),
  tool('odd.success-false', () => ({ success: false, message: 'not today' })),
  tool('slow.never', () => new Promise(() => undefined), { timeoutMs: 50 }),
  tool('slow.ignores', () => new Promise((resolve) => setTimeout(() => resolve('late'), 300)), {
    timeoutMs: 40,
  }),
  tool('slow.wait', () => new Promise((resolve) => setTimeout(() => resolve('done'), 200))),
  tool(
    'slow.spins',
    async function* spin() {
      for (let turn = 0; ; turn += 1) yield { turn }
    },
    { timeoutMs: 120 },
  ),
  tool('feed.counts', async function* count() {
    yield { upTo: 1 }
    yield { upTo: 2 }
    return { upTo: 3 }
  }),
  tool('feed.last-yield', async function* count() {
    yield 'a'
    yield 'b'
  }),
  tool('wrong.read', () => ({ sum: 'three' }), { outputSchema: z.object({ sum: z.number() }) }),
  tool('wrong.write', () => ({ sum: 'three' }), {
    effect: 'write',
    outputSchema: z.object({ sum: z.number() }),
  }),
  tool('count.effect', () => ({ effects: (effects += 1) }), {
    effect: 'write',
    inputSchema: z.object({ order: z.string().nullable() }),
  }),
  tool('guard.always', () => 'ran', { approval: 'always', effect: 'destructive' }),
  tool('guard.permission', () => 'ran', { permission: 'billing.refund' }),
  defineTool({
    name: 'nest.outer',
    description: 'Calls another tool twice and adds up what it answers.',
    effect: 'read',
    inputSchema: any,
    async execute(_input, { call }) {
      const first = (await call('math.add', { a: 1, b: 2 })) as { sum: number }
      const second = (await call('math.add', { a: first.sum, b: 4 })) as { sum: number }
      return { total: second.sum }
    },
  }),
  defineTool({
    name: 'nest.endless',
    description: 'Calls itself until it is stopped.',
    effect: 'read',
    inputSchema: any,
    execute: (_input, { call }) => call('nest.endless', {}),
  }),
  defineTool({
    name: 'secret.leaks',
    description: 'Says its secret in every way it can think of.',
    effect: 'read',
    secrets: ['api_token'],
    inputSchema: any,
    async *execute(_input, { secrets, progress, log }) {
      const token = secrets['api_token'] ?? ''
      progress({ message: `using ${token}`, text: token.slice(0, 7) })
      progress({ text: token.slice(7) })
      log({ token })
      yield { token }
      throw new Error(`could not use ${token} or ${Buffer.from(token).toString('base64')}`)
    },
  }),
  defineTool({
    name: 'dynamic.by-agent',
    description: 'Has another schema for every agent.',
    effect: 'read',
    create: ({ agent }) => ({
      inputSchema: z.object({ [agent ?? 'nobody']: z.number() }),
      execute: (input) => ({ got: input }),
    }),
  }),
  tool(
    'flaky.twice',
    (() => {
      let tries = 0
      return () => {
        tries += 1
        if (tries < 3) throw new ToolError('upstream_failed', 'busy')
        return { tries }
      }
    })(),
    { retries: 3 },
  ),
]

let crib: Crib
beforeAll(async () => {
  crib = await createTestCrib({
    tools,
    config: {
      agents: [
        { slug: 'helper', tools: { allow: ['math.*', 'count.*', 'dynamic.*'] } },
        { slug: 'careful', tools: { allow: ['*'] }, autonomy: 'conservative' },
      ],
    },
  })
})
afterAll(() => crib.close())

/** Looking for a read that has ended waits until it is on record. */
async function eventsOf(callId = ''): Promise<CribEvent[]> {
  await crib.api.findCall(ownerOf(), { id: callId })
  const events: CribEvent[] = []
  for await (const event of crib.events({ callId })) events.push(event)
  return events
}

describe('a call', () => {
  test('fills missing nullable keys, strips unknown ones and is recorded from request to result', async () => {
    const result = await crib.call(
      'math.add',
      { a: 1, b: 2, more: true, deep: {} },
      { sessionId: 's1' },
    )
    expect(result).toEqual({
      callId: result.callId,
      status: 'completed',
      output: { sum: 3, note: null },
    })
    const events = await eventsOf(result.callId)
    expect(events.map(({ type, seq, sessionId }) => [seq, type, sessionId])).toEqual([
      [1, 'call.requested', 's1'],
      [2, 'call.started', 's1'],
      [3, 'call.completed', 's1'],
    ])
  })

  test('is found by its wire name too', async () => {
    expect((await crib.call('math_add', { a: 1, b: 1 })).output).toEqual({ sum: 2, note: null })
  })

  test.each([
    ['no.such-tool', {}, 'tool_not_found'],
    ['math.add', { a: '1', b: 2 }, 'invalid_input'],
    ['math.add', 'text', 'invalid_input'],
    ['guard.permission', {}, 'tool_not_found'],
  ])('of %s with %j is refused before there is a call: %s', async (name, input, code) => {
    const result = await crib.call(name, input, { permissions: ['tools.call'] })
    expect([result.callId, result.status, result.error?.code]).toEqual([undefined, 'failed', code])
  })

  test('of an invisible tool reads exactly like one of an unknown tool', async () => {
    const hidden = await crib.call('slow.wait', {}, { agent: 'helper' })
    const unknown = await crib.call('slow.wxyz', {}, { agent: 'helper' })
    const told = (result: unknown) => JSON.stringify(result).replaceAll(/ref_[0-9a-f]{32}/g, 'ref_')
    expect(told(hidden).replace('slow.wait', 'slow.wxyz')).toBe(told(unknown))
  })

  test.each([
    ['odd.throws', 'failed', 'tool_crashed'],
    ['odd.fails', 'failed', 'upstream_failed'],
    ['odd.error-shape', 'failed', 'tool_failed'],
    ['odd.success-false', 'failed', 'tool_failed'],
    ['slow.never', 'failed', 'timeout'],
    ['slow.ignores', 'failed', 'timeout'],
    ['slow.spins', 'failed', 'timeout'],
    ['wrong.read', 'failed', 'output_invalid'],
    ['nest.endless', 'failed', 'call_too_deep'],
  ])('of %s ends as %s with %s', async (name, status, code) => {
    const result = await crib.call(name)
    expect([result.status, result.error?.code]).toEqual([status, code])
    expect((await eventsOf(result.callId)).at(-1)?.type).toBe(`call.${status}`)
  })

  test.each([
    ['odd.undefined', null],
    ['odd.bigint', { big: '12345678901234567890' }],
    ['odd.cycle', { name: 'ring', self: '[circular]' }],
    ['feed.last-yield', 'b'],
    ['nest.outer', { total: 7 }],
    ['flaky.twice', { tries: 3 }],
  ])('of %s completes with %j', async (name, output) => {
    const result = await crib.call(name)
    expect([result.status, result.output]).toEqual(['completed', output])
  })

  test('whose output breaks its schema after an effect completes with a warning', async () => {
    const { status, output, warnings } = await crib.call('wrong.write')
    expect([status, output, warnings?.length]).toEqual(['completed', { sum: 'three' }, 1])
  })

  test('with 50 MB of output is cut, says so, and keeps the whole as an artifact', async () => {
    const { output, artifact } = await crib.call('odd.huge')
    expect(artifact?.bytes).toBe(50 * 1024 * 1024)
    expect(output).toMatch(/^x+\n.*hidden/)
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(51_200)
  })

  test('gets partial output in order and the result after it', async () => {
    const seen: CallOutput[] = []
    const { output } = await crib.call(
      'feed.counts',
      {},
      { onOutput: (update) => seen.push(update) },
    )
    expect(seen).toEqual([{ partial: { upTo: 1 } }, { partial: { upTo: 2 } }])
    expect(output).toEqual({ upTo: 3 })
  })

  test('that yields for ever writes few events', async () => {
    const { callId } = await crib.call('slow.spins')
    expect((await eventsOf(callId)).length).toBeLessThan(10)
  })

  test('can be cancelled by its caller, and settles once', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    const result = await crib.call('slow.wait', {}, { signal: controller.signal })
    expect([result.status, result.error?.code]).toEqual(['cancelled', 'cancelled'])
    const ends = (await eventsOf(result.callId)).filter((event) => event.type !== 'call.started')
    expect(ends.map((event) => event.type)).toEqual(['call.requested', 'call.cancelled'])
  })

  test('that needs a person waits for one, recorded, and does not run meanwhile', async () => {
    const before = effects
    const always = await crib.call('guard.always')
    const careful = await crib.call('count.effect', {}, { agent: 'careful' })
    expect([always.status, always.waitingFor]).toEqual(['waiting', 'approval'])
    expect([careful.status, careful.waitingFor]).toEqual(['waiting', 'approval'])
    expect(effects).toBe(before)
    expect((await eventsOf(careful.callId)).map((event) => event.type)).toEqual([
      'call.requested',
      'approval.requested',
      'call.waiting',
    ])
  })

  test('runs nested calls as calls of their own, under the same caller', async () => {
    const { callId } = await crib.call('nest.outer', {}, { sessionId: 'nested' })
    const children = async () => {
      const { items } = await crib.api.listCalls(ownerOf(), { parent: callId, limit: 10 })
      return items.map((call) => [call.tool, call.status, call.sessionId])
    }
    await expect.poll(children).toEqual([
      ['math.add', 'completed', 'nested'],
      ['math.add', 'completed', 'nested'],
    ])
  })

  test('leaks no secret: not in partial output, progress, log, error or events', async () => {
    const token = 'sk-very-secret-0123456789'
    const owner = {
      tenant: 'default',
      principal: { kind: 'user', id: 'owner' },
      permissions: ['*'],
      runtime: 'api',
    } as const
    // Somebody who could set the secret is told; for an agent the tool is not there.
    expect((await crib.call('secret.leaks')).error?.code).toBe('secret_missing')
    expect((await crib.call('secret.leaks', {}, { agent: 'careful' })).error?.code).toBe(
      'tool_not_found',
    )
    await crib.api.writeSecret(owner, { name: 'api_token', value: token })
    const seen: unknown[] = []
    const result = await crib.call(
      'secret.leaks',
      { said: token },
      { onOutput: (update) => seen.push(update) },
    )
    const everything = JSON.stringify([seen, result, await eventsOf(result.callId)])
    expect(result.error?.message).toMatch(/could not use \[redacted:api_token\]/)
    expect(seen).not.toHaveLength(0)
    expect(everything).not.toContain(token)
    expect(everything).not.toContain(token.slice(7))
    expect(everything).not.toContain(Buffer.from(token).toString('base64'))
  })

  test('of a tool made per caller is parsed by the schema of that caller', async () => {
    const good = await crib.call('dynamic.by-agent', { helper: 1 }, { agent: 'helper' })
    const bad = await crib.call('dynamic.by-agent', { nobody: 1 }, { agent: 'helper' })
    expect([good.output, bad.error?.code]).toEqual([{ got: { helper: 1 } }, 'invalid_input'])
  })
})

describe('an idempotency key', () => {
  test('gives the same call for two requests at once and later, and refuses other input', async () => {
    const before = effects
    const options = { idempotencyKey: 'order-7' }
    const [one, two] = await Promise.all([
      crib.call('count.effect', {}, options),
      crib.call('count.effect', {}, options),
    ])
    const three = await crib.call('count.effect', {}, options)
    const other = await crib.call('count.effect', { order: 'other' }, options)
    expect(two).toEqual(one)
    expect(three).toEqual(one)
    expect(effects).toBe(before + 1)
    expect([other.callId, other.error?.code]).toEqual([undefined, 'idempotency_mismatch'])
  })

  test('takes inputs for the same that mean the same to the tool', async () => {
    const call = (input: object) => crib.call('count.effect', input, { idempotencyKey: 'order-8' })
    const first = await call({})
    expect(first.status).toBe('completed')
    expect(await call({ order: null })).toEqual(first)
    expect(await call({ unknown: 1 })).toEqual(first)
    expect((await call({ order: '' })).error?.code).toBe('idempotency_mismatch')
  })

  test('of a tool made per caller is compared by all of the input', async () => {
    const options = { agent: 'helper', idempotencyKey: 'order-9' }
    const first = await crib.call('dynamic.by-agent', { helper: 1 }, options)
    expect(await crib.call('dynamic.by-agent', { helper: 1 }, options)).toEqual(first)
    const other = await crib.call('dynamic.by-agent', { helper: 2 }, options)
    expect(other.error?.code).toBe('idempotency_mismatch')
  })
})

describe('a read that has only just begun', () => {
  test('is found by the id its caller was told, and so is one that has only just ended', async () => {
    const owner = {
      tenant: 'default',
      principal: { kind: 'user', id: 'owner' },
      permissions: ['*'],
      runtime: 'api',
    } as const
    let id = ''
    const request = {
      tool: 'slow.wait',
      input: {},
      caller: owner,
      onCall: (callId: string) => (id = callId),
    }
    const running = crib.api.call(request)
    await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    expect((await crib.api.findCall(owner, { id })).status).toBe('running')
    const { callId = '' } = await running
    expect((await crib.api.findCall(owner, { id: callId })).status).toBe('completed')
  })
})

describe('an answer before the end', () => {
  test('gives the id at once; the call runs on and can be waited for', async () => {
    const owner = {
      tenant: 'default',
      principal: { kind: 'user', id: 'owner' },
      permissions: ['*'],
      runtime: 'api',
    } as const
    const { callId = '', status } = await crib.call('slow.wait', {}, { respondAsync: true })
    expect(status).toBe('queued')
    const call = await crib.api.findCall(owner, { id: callId, wait: 5 })
    expect([call.status, call.output, call.attempt]).toEqual(['completed', 'done', 1])
    expect((await eventsOf(callId)).map((event) => event.type)).toEqual([
      'call.requested',
      'call.queued',
      'call.started',
      'call.completed',
    ])
  })
})

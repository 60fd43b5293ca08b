import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Crib, createCrib, defineTool, z } from '../src/app/index.ts'
import { toCompositionBehaviour } from '../src/core/compositions/to-composition-behaviour.ts'
import type { CompositionSpec, CompositionStep } from '../src/core/compositions/spec.ts'
import { toTool } from '../src/core/define-tool.ts'
import type { CallRecord } from '../src/core/kernel/call.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Effect, JsonValue, Tool } from '../src/core/kernel/tool.ts'
import { createTempDatabase, createTempFolder } from '../src/store/contract/temp-store.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf('default')
const made: string[] = []

function step(name: string, effect: Effect, more: object = {}): Tool {
  return defineTool({
    name,
    description: 'A step for the tests of compositions.',
    effect,
    inputSchema: z.object({ id: z.string(), n: z.number().nullable() }),
    execute({ id, n }) {
      made.push(id)
      return { id, n: (n ?? 0) + 1 }
    },
    ...more,
  })
}

function composition(
  name: string,
  steps: CompositionStep[],
  {
    effect = 'write',
    ...more
  }: Partial<CompositionSpec> & { effect?: Effect; timeoutMs?: number } = {},
): Tool {
  const { timeoutMs, ...spec } = more
  return toTool(
    {
      name,
      description: 'A composition for tests.',
      source: 'code',
      effect,
      ...(timeoutMs !== undefined && { timeoutMs }),
      inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    },
    toCompositionBehaviour({ kind: 'composition', steps, ...spec }),
  )
}

const id = (suffix: string) => `{{input.id}}-${suffix}`
const items = Array.from({ length: 10 }, (_, index) => index)

const tools = [
  step('t.read', 'read'),
  step('t.write', 'write'),
  step('t.ask', 'write', { approval: 'always' }),
  step('t.background', 'write', { execution: 'background' }),
  step('t.fails', 'write', {
    execute() {
      throw new Error('no')
    },
  }),
  composition(
    'c.reads',
    [
      { id: 'a', tool: 't.read', input: { id: id('a') } },
      { id: 'b', tool: 't.read', input: { id: id('b'), n: '{{steps.a.output.n}}' } },
    ],
    { effect: 'read' },
  ),
  composition('c.branches', [
    { id: 'find', tool: 't.read', input: { id: id('find') } },
    { id: 'ask', tool: 't.ask', after: ['find'], input: { id: id('ask') } },
    { id: 'write', tool: 't.write', after: ['find'], input: { id: id('write') } },
    { id: 'then', tool: 't.write', after: ['write'], input: { id: id('then') } },
    {
      id: 'end',
      tool: 't.write',
      input: { id: id('end'), n: '{{steps.ask.output.n}}' },
      after: ['ask', 'then'],
    },
  ]),
  composition('c.items', [
    {
      id: 'all',
      tool: 't.background',
      each: items,
      atOnce: 4,
      input: { id: id('{{item}}'), n: '{{index}}' },
    },
  ]),
  composition('c.fails', [
    { id: 'ask', tool: 't.ask', after: [], input: { id: id('ask') } },
    { id: 'bad', tool: 't.fails', after: [], input: { id: id('bad') } },
  ]),
  composition('c.flow', [
    { id: 'wait', tool: 'flow.wait', input: { for: '300ms' } },
    {
      id: 'start',
      tool: 'flow.start',
      input: { tool: 't.write', input: { id: id('started') } },
    },
    { id: 'bad', tool: 't.fails', retry: { times: 1 }, onError: 'continue', input: { id: 'x' } },
    {
      id: 'stop',
      tool: 'flow.fail',
      when: { field: 'steps.bad.status', operator: 'eq', value: 'completed' },
      input: { message: 'never' },
    },
    {
      id: 'shape',
      tool: 'flow.map',
      input: { value: ['{{steps.bad.error.code}}', '{{steps.stop.status}}'] },
    },
  ]),
  composition('c.outer', [
    { id: 'inner', tool: 'c.branches', input: { id: id('inner') } },
    { id: 'last', tool: 't.write', input: { id: id('last') } },
  ]),
]

const open = {
  async pglite(): Promise<Crib> {
    return createTestCrib({ tools })
  },
  async postgres(): Promise<Crib> {
    const { url, drop } = await createTempDatabase()
    const data = await createTempFolder()
    const crib = await createCrib({
      config: { tools: [] },
      env: {},
      onWarning: () => undefined,
      data: data.path,
      database: url,
      tools,
    })
    const close = async () => {
      await crib.close()
      await drop()
      await data.remove()
    }
    return { ...crib, close }
  },
}

describe.each(['pglite', 'postgres'] as const)('compositions on %s', (kind) => {
  let crib: Crib
  beforeAll(async () => {
    crib = await open[kind]()
  })
  afterAll(() => crib.close())

  const find = (callId = '') => crib.api.findCall(owner, { id: callId })
  const settled = (callId = '') => crib.api.findCall(owner, { id: callId, wait: 30 })
  const stepsOf = async (callId = '') => {
    const { items: calls } = await crib.api.listCalls(owner, { parent: callId, limit: 100 })
    return new Map(calls.map((call: CallRecord) => [call.stepKey ?? '', call]))
  }
  const approve = async (count = 1) => {
    await expect
      .poll(async () => (await crib.api.listApprovals(owner, { status: 'pending' })).items)
      .toHaveLength(count)
    const { items: approvals } = await crib.api.listApprovals(owner, { status: 'pending' })
    for (const { id: approval } of approvals) {
      await crib.api.decideApproval(owner, { id: approval, decision: 'approve' })
    }
  }
  const count = (suffix: string) => made.filter((one) => one === `${kind}-${suffix}`).length
  const input = { id: kind } satisfies JsonValue

  test('steps without a wait run at once and give the output of the last', async () => {
    const result = await crib.call('c.reads', input)
    expect([result.status, result.output]).toEqual(['completed', { id: `${kind}-b`, n: 2 }])
  })

  test('one branch waits for a person while the other continues, and no step runs twice', async () => {
    const result = await crib.call('c.branches', input)
    expect([result.status, result.waitingFor]).toEqual(['waiting', 'call'])
    expect(count('then')).toBe(1)
    await approve()
    const end = await settled(result.callId)
    expect([end.status, end.output]).toEqual(['completed', { id: `${kind}-end`, n: 2 }])
    const keys = ['find', 'ask', 'write', 'then', 'end']
    expect([...(await stepsOf(result.callId)).keys()].sort()).toEqual(keys.sort())
    expect(keys.map(count)).toEqual([1, 1, 1, 1, 1])
  })

  test('items that are queued all run once, and the composition ends', async () => {
    const result = await crib.call('c.items', input)
    const end = await settled(result.callId)
    expect(end.status).toBe('completed')
    expect(end.output).toEqual(items.map((item) => ({ id: `${kind}-${item}`, n: item + 1 })))
    expect(items.map((item) => count(String(item)))).toEqual(items.map(() => 1))
  })

  test('a failure ends the composition and cancels what still waits', async () => {
    const result = await crib.call('c.fails', input)
    expect([result.status, result.error?.code]).toEqual(['failed', 'tool_crashed'])
    const ask = (await stepsOf(result.callId)).get('ask')
    expect(ask?.status).toBe('cancelled')
    expect((await crib.api.listApprovals(owner, { status: 'pending' })).items).toEqual([])
  })

  test('flow waits without running, starts once, and gives values a shape', async () => {
    const result = await crib.call('c.flow', input)
    expect([result.status, result.waitingFor]).toEqual(['waiting', 'call'])
    const end = await settled(result.callId)
    expect([end.status, end.output]).toEqual(['completed', ['tool_crashed', 'skipped']])
    await expect.poll(() => count('started')).toBe(1)
    const steps = await stepsOf(result.callId)
    expect([...steps.keys()].sort()).toEqual(['bad', 'bad~1', 'shape', 'start', 'wait'])
    const wait = steps.get('wait')
    const waitedMs = Date.parse(wait?.settledAt ?? '') - Date.parse(wait?.requestedAt ?? '')
    expect(waitedMs).toBeGreaterThanOrEqual(290)
  })

  test('a composition in a composition waits with it', async () => {
    const result = await crib.call('c.outer', { id: `${kind}-o` })
    expect(result.status).toBe('waiting')
    await approve()
    const end = await settled(result.callId)
    expect([end.status, end.output]).toEqual(['completed', { id: `${kind}-o-last`, n: 1 }])
    expect(count('o-inner-end')).toBe(1)
  })

  test('a cancelled composition cancels its open steps', async () => {
    const result = await crib.call('c.outer', { id: `${kind}-c` })
    const inner = (await stepsOf(result.callId)).get('inner')
    await crib.api.cancelCall(owner, { id: result.callId ?? '' })
    expect((await find(inner?.callId)).status).toBe('cancelled')
    expect((await stepsOf(inner?.callId)).get('ask')?.status).toBe('cancelled')
  })
})

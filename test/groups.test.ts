import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCrib, type Crib, defineTool, ToolError, z } from '../src/app/index.ts'
import type { CallResult, Completion } from '../src/core/kernel/call.ts'
import type { ContinuedGroup } from '../src/core/async/continuation.ts'
import type { CribEvent } from '../src/core/events/event.ts'
import { createTempDatabase, createTempFolder } from '../src/store/contract/temp-store.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'

const handed = new Map<string, Completion>()
const input = z.object({ id: z.string() })
const tools = [
  defineTool({
    name: 'group.read',
    description: 'Gives back what it gets.',
    effect: 'read',
    inputSchema: input,
    execute: ({ id }) => id,
  }),
  defineTool({
    name: 'group.background',
    description: 'Gives back what it gets, later; fails for some.',
    effect: 'write',
    execution: 'background',
    inputSchema: input,
    async execute({ id }) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
      if (id.startsWith('bad')) throw new ToolError('upstream_failed', id, { retryable: false })
      return id
    },
  }),
  defineTool({
    name: 'group.slow',
    description: 'Runs until it is stopped.',
    effect: 'write',
    inputSchema: input,
    execute: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')))
      }),
  }),
  defineTool({
    name: 'group.outside',
    description: 'Is completed by somebody else.',
    effect: 'write',
    execution: 'external',
    inputSchema: input,
    execute({ id }, { completion }) {
      handed.set(id, completion)
    },
  }),
  defineTool({
    name: 'group.asks',
    description: 'Needs a person.',
    effect: 'write',
    approval: 'always',
    inputSchema: input,
    execute: ({ id }) => id,
  }),
]

const tenant = 'default'
const owner = {
  tenant,
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const
const kind = 'test.turn'
let cribs: Crib[] = []
let seen: (ContinuedGroup & { node: number })[] = []
let clear: (() => Promise<void>)[] = []
beforeEach(() => {
  seen = []
  handed.clear()
})
afterEach(async () => {
  await Promise.all(cribs.map((crib) => crib.close()))
  await Promise.all(clear.map((one) => one()))
  cribs = []
  clear = []
})

async function openOne(): Promise<Crib> {
  const crib = await createTestCrib({ tools })
  cribs.push(crib)
  return crib
}

const make = (crib: Crib, more: { deadlineAt?: number; data?: number } = {}) => {
  const { data = 0, deadlineAt } = more
  return crib.groups.create({ tenant, continuation: { kind, data }, deadlineAt })
}

function record(crib: Crib, node = 0): () => void {
  return crib.groups.onContinue(kind, (group) => void seen.push({ ...group, node }))
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 30_000
  while (!isSo()) {
    if (Date.now() > end) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const summary = ({ status, output, error }: CallResult) => [status, error?.code ?? output]

async function eventsOf(crib: Crib, types: CribEvent['type'][]): Promise<string[]> {
  const told: string[] = []
  for await (const { type } of crib.events({ types })) told.push(type)
  return told
}

const groupEvents: CribEvent['type'][] = ['group.sealed', 'group.settled', 'group.continued']

const complete = (crib: Crib, callId: string, id: string) =>
  crib.api.complete(callId, handed.get(id)?.token ?? '', async () => ({
    status: 'completed',
    response: id,
  }))

/** Completes the calls of one group all at once; how many were told that it continues. */
async function countContinued(pick: () => Crib): Promise<number> {
  const groupId = await make(pick())
  const ids = Array.from({ length: 12 }, (_, index) => `together ${index}`)
  const calls = await Promise.all(
    ids.map((id) => pick().call('group.outside', { id }, { groupId })),
  )
  await until(() => ids.every((id) => handed.has(id)))
  await pick().groups.seal(tenant, groupId)
  const receipts = await Promise.all(
    ids.map((id, index) => complete(pick(), calls[index]?.callId ?? '', id)),
  )
  return receipts.filter(({ continued }) => continued).length
}

describe('a group', () => {
  test('continues once, with the results in the order the calls were made, whatever they came to', async () => {
    const crib = await openOne()
    record(crib)
    const groupId = await make(crib, { data: 42 })
    const order = ['group.background', 'group.outside', 'group.read', 'group.asks'] as const
    const calls = [
      await crib.call(order[0], { id: 'bad one' }, { groupId }),
      await crib.call(order[1], { id: 'late' }, { groupId }),
      await crib.call(order[2], { id: 'read' }, { groupId }),
      await crib.call(order[3], { id: 'asks' }, { groupId }),
      await crib.call(order[0], { id: 'good' }, { groupId }),
    ]
    await until(() => handed.has('late'))
    await crib.groups.seal(tenant, groupId)
    const [asked] = (await crib.api.listApprovals(owner, { limit: 1 })).items
    await crib.api.decideApproval(owner, { id: asked?.id ?? '', decision: 'reject', reason: 'No' })
    await rest(150)
    expect(seen).toEqual([])
    const receipt = await complete(crib, calls[1]?.callId ?? '', 'late')
    expect(receipt).toEqual({ accepted: true, pending: 0, continued: true })
    await until(() => seen.length > 0)
    await rest(1200)
    expect(seen).toHaveLength(1)
    const [group] = seen
    expect([group?.groupId, group?.data, group?.attempt, group?.failed]).toEqual([
      groupId,
      42,
      1,
      2,
    ])
    expect(group?.results.map(({ callId }) => callId)).toEqual(calls.map(({ callId }) => callId))
    expect(group?.results.map(summary)).toEqual([
      ['failed', 'upstream_failed'],
      ['completed', 'late'],
      ['completed', 'read'],
      ['denied', 'approval_rejected'],
      ['completed', 'good'],
    ])
    expect(await eventsOf(crib, groupEvents)).toEqual(groupEvents)
  })

  test('tells exactly one of the completions that come together that it continues', async () => {
    const crib = await openOne()
    record(crib)
    expect(await countContinued(() => crib)).toBe(1)
    await until(() => seen.length === 1)
  })

  test('that is empty, or was complete before it was sealed, continues with its seal', async () => {
    const crib = await openOne()
    record(crib)
    const [empty, early] = [await make(crib), await make(crib)]
    const call = await crib.call('group.outside', { id: 'early' }, { groupId: early })
    await until(() => handed.has('early'))
    const receipt = await complete(crib, call.callId ?? '', 'early')
    expect(receipt).toEqual({ accepted: true, pending: 0, continued: false })
    for (const groupId of [empty, early]) await crib.groups.seal(tenant, groupId)
    await until(() => seen.length === 2)
    expect(seen.map(({ groupId, results }) => [groupId, results.map(summary)])).toEqual([
      [empty, []],
      [early, [['completed', 'early']]],
    ])
  })

  test('takes no calls once it is sealed, and none of another tenant', async () => {
    const crib = await openOne()
    const groupId = await make(crib)
    await crib.groups.seal(tenant, groupId)
    const late = await crib.call('group.read', { id: 'x' }, { groupId })
    const asked = await crib.call('group.asks', { id: 'x' }, { groupId })
    const queued = await crib.call('group.background', { id: 'x' }, { groupId })
    const unknown = await crib.call('group.read', { id: 'x' }, { groupId: 'group_x' })
    const codes = [late, asked, queued, unknown].map(({ callId, error }) => [callId, error?.code])
    expect(codes).toEqual([
      [undefined, 'group_closed'],
      [undefined, 'group_closed'],
      [undefined, 'group_closed'],
      [undefined, 'not_found'],
    ])
    await expect(crib.groups.seal('other', groupId)).rejects.toThrow('There is no group')
  })

  test('whose continuation throws is tried again, later, with the next attempt', async () => {
    const crib = await openOne()
    const attempts: number[] = []
    crib.groups.onContinue(kind, ({ attempt }) => {
      attempts.push(attempt)
      if (attempt === 1) throw new Error('not yet')
    })
    await crib.groups.seal(tenant, await make(crib))
    await until(() => attempts.length === 2)
    await rest(1500)
    expect(attempts).toEqual([1, 2])
    expect(await eventsOf(crib, ['group.continued'])).toHaveLength(1)
  })

  test('of a kind that nobody knows waits until somebody does', async () => {
    const crib = await openOne()
    await crib.groups.seal(tenant, await make(crib))
    const stop = crib.groups.onContinue('another.kind', () => {
      throw new Error('never')
    })
    await rest(100)
    stop()
    record(crib)
    await until(() => seen.length === 1)
    expect(seen[0]?.attempt).toBe(1)
  })

  test('past its deadline fails what is pending and goes on, sealed or not', async () => {
    const crib = await openOne()
    record(crib)
    const groupId = await make(crib, { deadlineAt: Date.now() + 400 })
    const slow = crib.call('group.slow', { id: 'slow' }, { groupId })
    await crib.call('group.outside', { id: 'never' }, { groupId })
    await until(() => seen.length === 1)
    expect(seen[0]?.results.map(summary)).toEqual([
      ['failed', 'timeout'],
      ['failed', 'timeout'],
    ])
    // Who waited for the call itself is told the same.
    expect(summary(await slow)).toEqual(['failed', 'timeout'])
  })
})

describe('waiting for a group in the same turn', () => {
  test('gives the results here, and its continuation does not run', async () => {
    const crib = await openOne()
    record(crib)
    const groupId = await make(crib)
    const call = await crib.call('group.outside', { id: 'one' }, { groupId })
    await crib.call('group.read', { id: 'two' }, { groupId })
    await until(() => handed.has('one'))
    const waiting = crib.groups.waitFor(tenant, groupId, { deadlineMs: 10_000 })
    await rest(100)
    await complete(crib, call.callId ?? '', 'one')
    const { results, failed } = await waiting
    expect([results.map(summary), failed]).toEqual([
      [
        ['completed', 'one'],
        ['completed', 'two'],
      ],
      0,
    ])
    await rest(1200)
    expect(seen).toEqual([])
    expect(await eventsOf(crib, groupEvents)).toEqual(groupEvents)
    const again = crib.groups.waitFor(tenant, groupId, { deadlineMs: 10 })
    await expect(again).rejects.toThrow('continued elsewhere')
  })

  test('ends at the deadline: what is pending has failed, and what comes late is told and not injected', async () => {
    const crib = await openOne()
    const groupId = await make(crib)
    const call = await crib.call('group.outside', { id: 'late' }, { groupId })
    await until(() => handed.has('late'))
    const { results, failed } = await crib.groups.waitFor(tenant, groupId, { deadlineMs: 200 })
    expect([results.map(summary), failed]).toEqual([[['failed', 'timeout']], 1])
    await expect(complete(crib, call.callId ?? '', 'late')).rejects.toThrow('is already failed')
    expect(await eventsOf(crib, ['completion.late'])).toEqual(['completion.late'])
  })

  test('ends with the crib, and leaves the group to whoever opens the next', async () => {
    const store = await freshStore()
    const crib = await createTestCrib({ tools, store })
    const groupId = await make(crib)
    const call = await crib.call('group.outside', { id: 'closed' }, { groupId })
    await until(() => handed.has('closed'))
    const waiting = crib.groups.waitFor(tenant, groupId, { deadlineMs: 60_000 })
    const refusal = waiting.catch((error: unknown) => String(error))
    await rest(50)
    await crib.close()
    expect(await refusal).toContain('continued elsewhere')
    const next = await createTestCrib({ tools, store })
    cribs.push(next)
    record(next)
    await complete(next, call.callId ?? '', 'closed')
    await until(() => seen.length === 1)
    expect([seen[0]?.attempt, seen[0]?.results.map(summary)]).toEqual([
      2,
      [['completed', 'closed']],
    ])
  })

  test('leaves the group to its kind when the waiter gives up', async () => {
    const crib = await openOne()
    record(crib)
    const groupId = await make(crib)
    const call = await crib.call('group.outside', { id: 'left' }, { groupId })
    await until(() => handed.has('left'))
    const { signal, abort } = withAbort()
    const waiting = crib.groups.waitFor(tenant, groupId, { deadlineMs: 10_000, signal })
    const refusal = waiting.catch((error: unknown) => String(error))
    await rest(50)
    abort()
    expect(await refusal).toContain('continued elsewhere')
    await complete(crib, call.callId ?? '', 'left')
    await until(() => seen.length === 1)
    expect(seen[0]?.results.map(summary)).toEqual([['completed', 'left']])
  })
})

const byText = (a = '', b = '') => (a < b ? -1 : 1)

function withAbort() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

test('on three nodes every group continues once, whoever completes its calls', async () => {
  const database = await createTempDatabase()
  const folder = await createTempFolder()
  clear = [database.drop, folder.remove]
  // On a busy machine a node may be silent for seconds, and must not count as dead here.
  const config = { limits: { nodeTimeoutMs: 60_000 }, storage: { poolSize: 4 } }
  for (const node of [0, 1, 2]) {
    const data = `${folder.path}/${node}`
    const masterKey = Buffer.alloc(32, 7).toString('base64')
    const env = { TOOLCRIB_MASTER_KEY: masterKey }
    const crib = await createCrib({ config, tools, data, database: database.url, env })
    cribs.push(crib)
    // One of them does not know the kind.
    if (node > 0) record(crib, node)
  }
  const pick = () => cribs[Math.floor(Math.random() * 3)] as Crib
  const made = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      const groupId = await make(pick(), { data: index })
      const tool = (member: number) => (member % 2 === 0 ? 'group.background' : 'group.outside')
      const calls = await Promise.all(
        Array.from({ length: 6 }, (__, member) =>
          pick().call(tool(member), { id: `${index}.${member}` }, { groupId }),
        ),
      )
      return { groupId, calls }
    }),
  )
  await Promise.all(
    made.flatMap(({ groupId, calls }, index) => [
      pick().groups.seal(tenant, groupId),
      ...[1, 3, 5].map(async (member) => {
        const id = `${index}.${member}`
        await until(() => handed.has(id))
        const callId = calls[member]?.callId ?? ''
        const tries = [0, 1, 2].map(() => complete(pick(), callId, id).catch(() => undefined))
        const receipts = (await Promise.all(tries)).filter((receipt) => receipt !== undefined)
        expect(receipts).toHaveLength(1)
      }),
    ]),
  )
  await until(() => seen.length >= 24)
  await rest(2500)
  expect(seen.map(({ data }) => data).toSorted((a, b) => Number(a) - Number(b))).toEqual(
    made.map((_, index) => index),
  )
  expect(new Set(seen.map(({ node }) => node))).not.toContain(0)
  for (const { groupId, results, attempt, failed, data } of seen) {
    expect([attempt, failed, groupId]).toEqual([1, 0, made[Number(data)]?.groupId])
    const ids = results.map(({ callId }) => callId)
    expect(ids).toEqual(ids.toSorted(byText))
    expect(results.map(({ output }) => output as string).toSorted(byText)).toEqual(
      [0, 1, 2, 3, 4, 5].map((member) => `${Number(data)}.${member}`),
    )
  }
  const counted = (await eventsOf(cribs[0] as Crib, groupEvents)).toSorted()
  expect(counted.length).toBe(72)
  expect(await countContinued(pick)).toBe(1)
})

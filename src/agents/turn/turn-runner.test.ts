import { eventOf } from '../../store/contract/records.ts'
import { expect, test } from 'vitest'
import type { Caller } from '../../core/kernel/call.ts'
import { noUsage } from '../../core/conversations/conversation.ts'
import type { ConversationStore } from '../../core/conversations/conversation-store.ts'
import { createId } from '../../core/kernel/ids.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { freshStore } from '../../testing/fresh-store.fixture.ts'
import type { TurnPorts } from './turn-ports.ts'
import { createTurnRunner } from './turn-runner.ts'

const tenant = 'acme'
const principal = { kind: 'user', id: 'mem_ann' } as const
const caller: Caller = { tenant, principal, permissions: ['*'], runtime: 'chat' }
const agent = 'helper'

async function begin(
  store: ConversationStore,
  of: string,
  { parentCallId, ...bounds }: { maxSteps: number; deadlineAt?: number; parentCallId?: string },
) {
  const place = { tenant: of, agent, principal, kind: 'chat' } as const
  const { id: conversationId } = await store.open({ id: createId('conv'), ...place })
  const turn = { id: createId('turn'), messageId: createId('msg'), position: 0, bounds }
  const above = parentCallId === undefined ? {} : { parentCallId }
  const event = eventOf('turn.started')
  await store.beginTurn({
    turn: {
      ...turn,
      ...above,
      tenant: of,
      conversationId,
      agent,
      caller: { ...caller, tenant: of },
    },
    told: { principal, event },
  })
  return turn
}

/** A runner whose agent was deleted: it takes a turn up, and ends it. */
async function openRunner(
  bounds: { maxSteps: number; deadlineAt?: number },
  now: () => number = Date.now,
) {
  const { conversations: store } = await freshStore()
  const runner = createTurnRunner({
    now,
    store,
    groups: { onContinue: () => () => undefined },
    groupCalls: async () => [],
    models: { findAgent: async () => undefined },
    limits: { atOnce: 64, tenantAtOnce: 48, leaseMs: 60_000 },
    onWarning: () => undefined,
  } as unknown as TurnPorts)
  const turn = await begin(store, tenant, bounds)
  async function run() {
    const ended = Promise.withResolvers<void>()
    runner.onEnd(() => ended.resolve())
    await runner.start(turn.id)
    await ended.promise
    return store.findTurn(tenant, turn.id)
  }
  return { store, turn, run }
}

test('readers forget a step that somebody left half way, once', async () => {
  const { store, turn, run } = await openRunner({ maxSteps: 15 })
  const [claimed] = await store.claimTurns({ leaseMs: 60_000, limit: 1, turnId: turn.id })
  const lease = { tenant, turnId: turn.id, attempt: claimed?.attempt ?? 0 }
  const types = ['start', 'start-step', 'start', 'reset-step', 'start-step', 'finish-step']
  const chunks = types.map((type): JsonValue => ({ type }))
  await store.appendChunks(lease, 0, chunks)
  const message = { id: turn.messageId, role: 'assistant' as const, parts: [] }
  await store.saveStep(lease, { step: 1, message, usage: noUsage })
  await store.yieldTurn(lease, noUsage)
  await run()
  const told = (await store.readChunks(tenant, turn.id, 0)) as { type: string }[]
  expect(told.slice(types.length).map(({ type }) => type)).toEqual(['start', 'error', 'finish'])
})

test('a turn that is taken up after its deadline ends there and then', async () => {
  const { run } = await openRunner({ maxSteps: 15, deadlineAt: Date.now() - 1 })
  expect(await run()).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
})

test('the deadline of a turn follows the time of the database, whatever the clock here shows', async () => {
  const atNoon = Date.UTC(2030, 0, 1, 12)
  const late = await openRunner({ maxSteps: 15, deadlineAt: atNoon }, () => atNoon)
  expect(await late.run()).toMatchObject({ error: { code: 'timeout' } })
  const early = await openRunner({ maxSteps: 15, deadlineAt: 2000 }, () => 1000)
  expect(await early.run()).toMatchObject({ error: { code: 'not_found' } })
})

test('an agent that was asked may not work on end for as long as it likes', async () => {
  const { conversations: store } = await freshStore()
  const runner = createTurnRunner({
    now: Date.now,
    store,
    groups: { onContinue: () => () => undefined },
    groupCalls: async () => [],
    findCall: async () => ({ status: 'waiting' }),
    models: { findAgent: async () => undefined },
    limits: { atOnce: 64, tenantAtOnce: 48, leaseMs: 60_000, subagentMs: 0 },
    onWarning: () => undefined,
  } as unknown as TurnPorts)
  const ends: unknown[] = []
  runner.onEnd(({ error }) => ends.push(error?.code))
  const asked = await begin(store, tenant, { maxSteps: 15, parentCallId: createId('call') })
  await runner.start(asked.id)
  await expect.poll(() => ends).toEqual(['timeout'])
  const own = await begin(store, tenant, { maxSteps: 15 })
  await runner.start(own.id)
  await expect.poll(() => ends).toEqual(['timeout', 'not_found'])
})

test('a turn that is taken up again and again without getting on is given up', async () => {
  const { store, turn, run } = await openRunner({ maxSteps: 15 })
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    await store.claimTurns({ leaseMs: 60_000, limit: 1, turnId: turn.id })
    await store.yieldTurn({ tenant, turnId: turn.id, attempt }, noUsage)
  }
  expect(await run()).toMatchObject({ status: 'failed', error: { code: 'interrupted' } })
})

test('a tenant with more turns than a node takes leaves room for others', async () => {
  const { conversations: store } = await freshStore()
  const thinking = Promise.withResolvers<undefined>()
  const runner = createTurnRunner({
    now: Date.now,
    store,
    groups: { onContinue: () => () => undefined },
    groupCalls: async () => [],
    models: { findAgent: () => thinking.promise },
    limits: { atOnce: 64, tenantAtOnce: 48, leaseMs: 60_000 },
    onWarning: () => undefined,
  } as unknown as TurnPorts)
  for (const of of [...Array.from({ length: 100 }, () => 'many'), 'few']) {
    await begin(store, of, { maxSteps: 15 })
  }
  await runner.sweep()
  const statusOf = async (of: string) =>
    (await store.listTurns(of, { limit: 200 })).items.map(({ status }) => status)
  expect(await statusOf('few')).toEqual(['running'])
  const running = (await statusOf('many')).filter((status) => status === 'running')
  expect(running.length).toBeGreaterThanOrEqual(48)
  expect(running.length).toBeLessThan(64)
  thinking.resolve(undefined)
  await expect.poll(() => runner.count()).toBe(0)
})

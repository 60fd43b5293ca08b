import { expect, test } from 'vitest'
import type { NewEvent } from '../../core/events/event.ts'
import { createId } from '../../core/ids.ts'
import type { CallStart, Settlement } from '../../core/call-log.ts'
import { createMemoryStore } from './create-memory-store.ts'

const at = Date.parse('2026-01-02T03:04:05.678Z')
const eventOf = (type: NewEvent['type']): NewEvent => ({ type, at, data: null })

function startOf(more: Partial<CallStart> = {}): CallStart {
  return {
    callId: createId('call'),
    tenant: 'default',
    tool: 'calc.sum',
    status: 'queued',
    input: { a: 1 },
    principal: { kind: 'key', id: 'abc' },
    runtime: 'api',
    attempt: 0,
    execution: 'background',
    isRepeatable: true,
    timeoutMs: 30_000,
    permissions: ['*'],
    parents: ['lead'],
    requestedAt: at,
    events: [eventOf('call.requested'), eventOf('call.queued')],
    ...more,
  }
}

function settlementOf({ callId, tenant }: CallStart): Settlement {
  return {
    callId,
    tenant,
    status: 'completed',
    settledAt: at,
    events: [eventOf('call.completed')],
  }
}

test('a call is started once, and put back only in its attempt', async () => {
  const { calls } = createMemoryStore()
  const { callId, tenant, ...rest } = startOf()
  await calls.open({ callId, tenant, ...rest })
  const begin = { from: 'queued', attempt: 0, events: [eventOf('call.started')] } as const
  expect(await calls.start(tenant, callId, begin)).toEqual({ attempt: 1 })
  expect(await calls.start(tenant, callId, begin)).toBeUndefined()
  const work = { queue: 'calls', priority: 0 }
  const putBack = (attempt: number) =>
    calls.requeue(tenant, callId, {
      attempt,
      work,
      isFailure: false,
      events: [eventOf('call.queued')],
    })
  expect([await putBack(2), await putBack(1), await putBack(1)]).toEqual([false, true, false])
  expect(await calls.find(tenant, callId)).toEqual({
    callId,
    tenant,
    tool: 'calc.sum',
    status: 'queued',
    input: { a: 1 },
    principal: { kind: 'key', id: 'abc' },
    runtime: 'api',
    attempt: 1,
    requestedAt: '2026-01-02T03:04:05.678Z',
  })
  expect(await calls.start(tenant, callId, begin)).toBeUndefined()
})

test('a call that is open is settled when it is recorded whole, with the events that lack', async () => {
  const { calls, events } = createMemoryStore()
  const start = startOf()
  await calls.open(start)
  const grown = { ...start, events: [...start.events, eventOf('call.output')] }
  for (const _ of [1, 2]) await calls.recordWhole(grown, settlementOf(start))
  const { items } = await events.read('default', { limit: 10 })
  expect(items.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'call.requested'],
    [2, 'call.queued'],
    [3, 'call.output'],
    [4, 'call.completed'],
  ])
})

test('a redacted input is compared by what was sent', async () => {
  const { calls } = createMemoryStore()
  const startWith = (token: string) =>
    startOf({ idempotencyKey: 'k', input: '[secret]', rawInput: { token } })
  const first = startWith('one')
  expect(await calls.open(first)).toEqual({ kind: 'opened' })
  expect(await calls.open(startWith('one'))).toMatchObject({ kind: 'existing' })
  expect(await calls.open(startWith('two'))).toEqual({ kind: 'mismatch', callId: first.callId })
  expect(JSON.stringify(await calls.find('default', first.callId))).not.toContain('one')
})

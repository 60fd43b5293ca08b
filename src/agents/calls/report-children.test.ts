import { eventOf } from '../../store/contract/records.ts'
import { expect, test } from 'vitest'
import type { CallRecord, Caller } from '../../core/kernel/call.ts'
import { noUsage } from '../../core/conversations/conversation.ts'
import type { CompletionReport } from '../../core/async/completion.ts'
import { createId } from '../../core/kernel/ids.ts'
import { freshStore } from '../../testing/fresh-store.fixture.ts'
import { reportChildren, type ReportPorts } from './report-children.ts'

const tenant = 'acme'
const principal = { kind: 'user', id: 'mem_ann' } as const
const caller: Caller = { tenant, principal, permissions: ['*'], runtime: 'subagent' }

async function openReporting() {
  const { conversations: store } = await freshStore()
  const callId = createId('call')
  const call = { callId, tenant, tool: 'agents.spawn', status: 'waiting' } as CallRecord
  const reports: CompletionReport[] = []
  const ports = {
    store,
    limits: { leaseMs: 60_000 },
    findCall: async () => call,
    complete: async (_of: object, report: CompletionReport) => {
      reports.push(report)
      call.status = 'completed'
    },
  } as unknown as ReportPorts
  const told = (type: 'turn.started' | 'turn.completed') => ({
    principal,
    event: eventOf(type),
  })
  async function begin(position: number): Promise<string> {
    const agent = 'helper'
    const place = { id: createId('conv'), tenant, agent, principal, kind: 'subagent' as const }
    const { id: conversationId } = await store.open(place)
    const turn = { id: createId('turn'), messageId: createId('msg'), tenant, agent, caller }
    const child = { parentCallId: callId, position, bounds: { maxSteps: 10, siblings: 2 } }
    const started = { turn: { ...turn, ...child, conversationId }, told: told('turn.started') }
    await store.beginTurn(started)
    return turn.id
  }
  async function end(turnId: string, text: string): Promise<void> {
    const [turn] = await store.claimTurns({ leaseMs: 60_000, limit: 1, turnId })
    const { attempt = 0, messageId = '' } = turn ?? {}
    const message = { id: messageId, role: 'assistant' as const, parts: [{ type: 'text', text }] }
    const step = { step: 1, message, usage: noUsage }
    const ending = { status: 'completed' as const, told: told('turn.completed') }
    await store.endTurn({ tenant, turnId, attempt }, step, ending)
  }
  const report = () => reportChildren(ports, callId)
  return { begin, end, report, reports, call }
}

test('an agent that is back before the others have begun does not end their call', async () => {
  const { begin, end, report, reports } = await openReporting()
  const first = await begin(0)
  await end(first, 'one')
  await report()
  expect(reports).toEqual([])
  const second = await begin(1)
  await end(second, 'two')
  await report()
  expect(reports).toMatchObject([
    { status: 'completed', response: { results: [{ answer: 'one' }, { answer: 'two' }] } },
  ])
})

test('a call that has ended is reported to no more', async () => {
  const { begin, end, report, reports, call } = await openReporting()
  await end(await begin(0), 'one')
  call.status = 'cancelled'
  expect(await report()).toBe(1)
  expect(await report()).toBe(0)
  expect(reports).toEqual([])
})

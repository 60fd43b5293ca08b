import { expect, test } from 'vitest'
import { isUnderWay, settle, applyFrame } from './run-state.ts'
import type { RunFrame, RunState } from './run-state.ts'

const begun: RunState = { phase: 'sending', input: {}, key: 'k', beganAt: 0 }
const after = (...frames: readonly RunFrame[]) =>
  frames.reduce((run, frame) => applyFrame(run, frame), begun)

test('a run follows its frames up to the result', () => {
  const call = { event: 'call', data: { callId: 'call_1' } } as const
  expect(after(call)).toEqual({ ...begun, phase: 'running', callId: 'call_1' })
  const result = { callId: 'call_1', status: 'completed', output: 3 } as const
  expect(after(call, { event: 'result', data: result })).toEqual({
    ...begun,
    phase: 'settled',
    callId: 'call_1',
    result,
  })
})

test('the last output and progress count, and text is joined', () => {
  const run = after(
    { event: 'call.output', data: { partial: { n: 1 } } },
    { event: 'call.output', data: { progress: { done: 1, total: 4, text: 'Once ' } } },
    { event: 'gap', data: { dropped: 2 } },
    { event: 'call.output', data: { partial: { n: 2 } } },
    { event: 'call.output', data: { progress: { done: 2, text: 'more' } } },
  )
  expect(run).toMatchObject({
    partial: { n: 2 },
    progress: { done: 2, total: 4, text: 'Once more' },
    missed: 2,
  })
})

test('a queued call is in progress, and unknown frames change nothing', () => {
  const later = applyFrame(begun, { event: 'queued', data: { callId: 'call_1', status: 'queued' } })
  expect([later.phase, isUnderWay(later)]).toEqual(['running', true])
  expect(applyFrame(later, { event: 'news', data: {} } as never)).toBe(later)
})

test('a call that needs approval is in progress, and continues after the decision', () => {
  const waiting = settle(begun, {
    callId: 'call_1',
    status: 'waiting',
    waitingFor: 'approval',
    approvalId: 'apr_1',
  })
  expect(waiting).toMatchObject({ phase: 'waiting', approvalId: 'apr_1', waitingFor: 'approval' })
  expect(isUnderWay(waiting)).toBe(true)
  const ended = settle(waiting, { callId: 'call_1', status: 'denied' })
  expect([ended.phase, isUnderWay(ended), isUnderWay(undefined)]).toEqual(['settled', false, false])
})

test('the duration is the call’s own, from its record', () => {
  const record = {
    callId: 'call_1',
    status: 'completed',
    startedAt: '2026-11-17T09:00:00.010Z',
    settledAt: '2026-11-17T09:00:00.046Z',
  } as const
  expect(settle(begun, record).tookMs).toBe(36)
  // A result from the stream has no duration: none is invented.
  expect(settle(begun, { callId: 'call_1', status: 'completed' }).tookMs).toBeUndefined()
})

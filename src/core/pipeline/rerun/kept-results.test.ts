import { expect, test } from 'vitest'
import type { StoredCall } from '../../call-log.ts'
import type { PlannedStep } from '../../kernel/steps/planned-step.ts'
import { keptResults } from './kept-results.ts'

const step = (id: string, waitsFor: string[], more: Partial<PlannedStep> = {}): PlannedStep => ({
  id,
  tool: `t.${id}`,
  waitsFor,
  isList: false,
  isConditional: false,
  mayFail: false,
  ...more,
})
const steps = [
  step('find', []),
  step('note', ['find'], { isList: true }),
  step('mail', ['find'], { mayFail: true }),
  step('pay', ['note', 'mail']),
]

function made(stepKey: string, more: Partial<StoredCall> = {}): StoredCall {
  const call = { callId: `call_${stepKey}`, stepKey, status: 'completed', isRepeatable: false }
  return { ...call, ...more } as StoredCall
}
const failed = (stepKey: string, code = 'tool_failed', more: Partial<StoredCall> = {}) =>
  made(stepKey, {
    status: 'failed',
    error: { code: code as 'tool_failed', message: '', retryable: false },
    ...more,
  })

const keysOf = (calls: readonly StoredCall[], from: string) =>
  keptResults(calls, { steps, from }).kept.map(({ stepKey }) => stepKey)

test('keeps what does not follow, and nothing of what does', () => {
  const calls = ['find', 'note/0', 'note/1', 'mail', 'pay'].map((key) => made(key))
  expect(keysOf(calls, 'pay')).toEqual(['find', 'note/0', 'note/1', 'mail'])
  expect(keysOf(calls, 'note')).toEqual(['find', 'mail'])
  expect(keysOf(calls, 'find')).toEqual([])
})

test('keeps the items that completed, and runs the others again', () => {
  const calls = [made('find'), made('note/0'), failed('note/1'), made('note/2')]
  expect(keysOf(calls, 'pay')).toEqual(['find', 'note/0', 'note/2'])
})

test('keeps all tries of a step that completed in the end, and of a failure the composition went past', () => {
  const calls = [failed('find'), made('find~1'), failed('mail'), failed('mail~1')]
  expect(keysOf(calls, 'pay')).toEqual(['find', 'find~1', 'mail', 'mail~1'])
  expect(keysOf([made('find.0'), made('find.1')], 'pay')).toEqual(['find.0', 'find.1'])
})

test('a step that was cancelled before it began simply runs', () => {
  const calls = [made('find'), made('mail', { status: 'cancelled' })]
  expect(keptResults(calls, { steps, from: 'pay' }).inDoubt).toBeUndefined()
  expect(keysOf(calls, 'pay')).toEqual(['find'])
})

test.each([
  ['an unknown outcome', failed('note/0', 'outcome_unknown')],
  ['a cancellation halfway', made('note/0', { status: 'cancelled', startedAt: '2026-01-01' })],
  ['a timeout halfway', failed('note/0', 'timeout', { startedAt: '2026-01-01' })],
  ['no end yet', made('note/0', { status: 'running', startedAt: '2026-01-01' })],
])('a step beside with %s is in doubt, unless it may be repeated', (_name, call) => {
  expect(keptResults([call], { steps, from: 'pay' }).inDoubt).toBe(call)
  expect(keptResults([call], { steps, from: 'note' }).inDoubt).toBeUndefined()
  const read = { ...call, isRepeatable: true }
  expect(keptResults([read], { steps, from: 'pay' }).inDoubt).toBeUndefined()
})

import { expect, test } from 'vitest'
import type { PlannedStep } from '../../core/kernel/steps/planned-step.ts'
import { stepsOfTallies, type TalliedCalls, toCallSteps, wouldRunAgain } from './call-steps.ts'

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
  step('a', []),
  step('b', ['a'], { isList: true }),
  step('c', ['b']),
  step('d', ['c']),
]

const tally = (of: string, more: Partial<TalliedCalls> = {}): TalliedCalls => ({
  step: of,
  status: 'completed',
  tool: `t.${of}`,
  count: 1,
  callId: `call_${of}`,
  firstMs: 1000,
  lastMs: 3000,
  isKept: false,
  ...more,
})
const statesOf = (status: 'running' | 'completed' | 'failed', tallies: TalliedCalls[]) =>
  toCallSteps({ status, steps, tallies }).map(({ state }) => state)

test('a list is running until all of its items have ended', () => {
  const tallies = [
    tally('a'),
    tally('b', { count: 40, itemCount: 100 }),
    tally('b', { status: 'failed', count: 2, itemCount: 100, callId: 'call_bad' }),
  ]
  expect(toCallSteps({ status: 'running', steps, tallies })[1]).toEqual({
    id: 'b',
    tool: 't.b',
    waitsFor: ['a'],
    isList: true,
    isConditional: false,
    state: 'running',
    done: 42,
    failed: 2,
    total: 100,
    callId: 'call_bad',
    requestedAt: '1970-01-01T00:00:01.000Z',
    isKept: false,
  })
})

test('a step without a call is pending, skipped or was never reached', () => {
  expect(statesOf('running', [tally('a')])).toEqual(['completed', 'pending', 'pending', 'pending'])
  expect(statesOf('running', [tally('a'), tally('d')])).toEqual([
    'completed',
    'skipped',
    'skipped',
    'completed',
  ])
  expect(statesOf('failed', [tally('a', { status: 'failed' })])).toEqual([
    'failed',
    'unreached',
    'unreached',
    'unreached',
  ])
  expect(statesOf('completed', [tally('a')])).toEqual([
    'completed',
    'skipped',
    'skipped',
    'skipped',
  ])
})

test('a step whose turn came while the composition waits for another was skipped', () => {
  const two = [step('ask', []), step('warn', [], { isConditional: true }), step('end', ['ask'])]
  const tallies = [tally('ask', { status: 'waiting', waitingFor: 'approval' })]
  const states = toCallSteps({ status: 'waiting', steps: two, tallies }).map(({ state }) => state)
  expect(states).toEqual(['asking', 'skipped', 'pending'])
})

test('a step asks for an approval and for an answer, and waits for other work', () => {
  const waiting = (more: Partial<TalliedCalls>) =>
    statesOf('running', [tally('a', { status: 'waiting', ...more })])[0]
  expect(waiting({ waitingFor: 'approval' })).toBe('asking')
  expect(waiting({ waitingFor: 'external', tool: 'flow.ask' })).toBe('asking')
  expect(waiting({ waitingFor: 'external' })).toBe('waiting')
  expect(waiting({ waitingFor: 'call' })).toBe('waiting')
})

test('a step without a result runs again, even if it does not follow the step to start from', () => {
  const tallies = [tally('a', { status: 'failed' }), tally('b', { itemCount: 1 })]
  const items = toCallSteps({ status: 'failed', steps, tallies })
  const again = new Set(['d'])
  expect(items.map((item) => wouldRunAgain(item, { steps, again }))).toEqual([
    true,
    false,
    true,
    true,
  ])
})

test('without its definition, a composition is shown by the steps it made, in order of start', () => {
  const made = [tally('late', { firstMs: 9 }), tally('early', { firstMs: 1, itemCount: 3 })]
  expect(stepsOfTallies(made).map(({ id, isList }) => [id, isList])).toEqual([
    ['early', true],
    ['late', false],
  ])
})

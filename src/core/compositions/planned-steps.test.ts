import { expect, test } from 'vitest'
import { planOf } from './plan-of.ts'
import { stepsFrom, toPlannedSteps } from './planned-steps.ts'
import type { CompositionStep } from './spec.ts'

const steps: CompositionStep[] = [
  { id: 'find', tool: 't.find' },
  { id: 'mail', tool: 't.mail', after: ['find'] },
  { id: 'score', tool: 't.score', after: ['find'], onError: 'continue' },
  { id: 'pay', tool: 't.pay', after: ['mail'], input: { risk: '{{steps.score.output}}' } },
  { id: 'notes', tool: 't.note', after: ['mail'], each: '{{steps.find.output.lines}}' },
]
const planned = toPlannedSteps({ steps }, planOf({ steps }))

test('a planned step names the steps it waits for, also those it only refers to', () => {
  expect(planned[3]).toEqual({
    id: 'pay',
    tool: 't.pay',
    waitsFor: ['mail', 'score'],
    isList: false,
    isConditional: false,
    mayFail: false,
  })
  expect(planned.map(({ mayFail }) => mayFail)).toEqual([false, false, true, false, false])
})

test.each([
  ['find', ['find', 'mail', 'score', 'pay', 'notes']],
  ['mail', ['mail', 'pay', 'notes']],
  ['score', ['score', 'pay']],
  ['notes', ['notes']],
])('from %s on run the steps that follow it, and no branch beside it', (from, expected) => {
  expect([...stepsFrom(planned, from)].toSorted()).toEqual(expected.toSorted())
})

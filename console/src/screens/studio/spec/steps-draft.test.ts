import { expect, test } from 'vitest'
import type { Draft } from './spec-draft.ts'
import { addStep, beforeOf, describeStep, columnsOf, moveStep, renameStep } from './steps-draft.ts'

const steps: readonly Draft[] = [
  { id: 'find', tool: 'billing.find' },
  { id: 'risk', tool: 'risk.score', after: ['find'], input: { of: '{{steps.find.output.id}}' } },
  { id: 'mail', tool: 'mail.draft', after: ['find'] },
  {
    id: 'refund',
    tool: 'billing.refund',
    after: ['risk', 'mail'],
    when: { all: [{ field: 'steps.find.output.total', operator: 'gt', value: 1 }] },
    input: { note: 'For {{ steps.find.output.name }} and {{steps.finder.output}}', find: 'find' },
  },
]

test('a renamed step takes everything that refers to it along, and nothing else', () => {
  expect(renameStep({ steps: [...steps], output: '{{steps.find.output}}' }, 0, 'look')).toEqual({
    output: '{{steps.look.output}}',
    steps: [
      { id: 'look', tool: 'billing.find' },
      { ...steps[1], after: ['look'], input: { of: '{{steps.look.output.id}}' } },
      { ...steps[2], after: ['look'] },
      {
        ...steps[3],
        when: { all: [{ field: 'steps.look.output.total', operator: 'gt', value: 1 }] },
        input: {
          note: 'For {{ steps.look.output.name }} and {{steps.finder.output}}',
          find: 'find',
        },
      },
    ],
  })
})

test('a new step is named for its tool, with an id of its own', () => {
  expect(addStep(steps, 'mail.find').at(-1)).toEqual({ id: 'find_2', tool: 'mail.find', input: {} })
  expect(addStep([{ id: 'step' }, { id: 'step_2' }]).at(-1)?.['id']).toBe('step_3')
})

test('steps that can run at once are in lanes side by side', () => {
  expect(columnsOf(steps)).toEqual([0, 0, 1, 0])
  expect(columnsOf([{ id: 'a' }, { id: 'b' }, { id: 'c', after: [] }])).toEqual([0, 0, 1])
})

test('a step without an order waits for the one before it', () => {
  expect(steps.map((_, index) => beforeOf(steps, index))).toEqual([
    [],
    ['find'],
    ['find'],
    ['risk', 'mail'],
  ])
  expect(beforeOf(moveStep([{ id: 'a' }, { id: 'b' }], 0, 1), 1)).toEqual(['b'])
})

test('the options of a step are described in words', () => {
  expect(describeStep({ id: 'a', each: '{{input.list}}', onError: 'continue' })).toBe(
    'for each item of a list · errors are ignored',
  )
  expect(describeStep({ id: 'a' })).toBe('')
})

import { expect, test } from 'vitest'
import { planOf } from './plan-of.ts'
import type { CompositionStep } from './spec.ts'

const step = (id: string, more: Partial<CompositionStep> = {}): CompositionStep => ({
  id,
  tool: 'a.b',
  ...more,
})
const plan = (...steps: CompositionStep[]) =>
  Object.fromEntries([...planOf({ steps })].map(([id, waits]) => [id, [...waits].sort()]))

test('a step waits for the one before it, for those it names, or for none', () => {
  expect(plan(step('a'), step('b'), step('c', { after: ['a'] }), step('d', { after: [] }))).toEqual(
    {
      a: [],
      b: ['a'],
      c: ['a'],
      d: [],
    },
  )
})

test('a step waits for every step it refers to, wherever the reference is', () => {
  const condition = {
    field: 'steps.a.output.n',
    operator: 'gt',
    value: '{{steps.b.output}}',
  } as const
  const free = { after: [] }
  expect(
    plan(
      step('a', free),
      step('b', free),
      step('when', { ...free, when: { any: [{ not: condition }] } }),
      step('input', { ...free, input: { x: [{ y: 'Hi {{steps.a.output.name}}' }] } }),
      step('each', { ...free, each: '{{steps.b.output.lines}}' }),
      step('repeat', { ...free, repeat: { until: condition, max: 3 } }),
      step('error', { ...free, onError: { output: '{{steps.a.output}}' } }),
      step('escaped', { ...free, input: { x: String.raw`\{{steps.a.output}}` } }),
      step('unknown', { after: ['nobody'], input: { x: '{{steps.nobody.output}}' } }),
    ),
  ).toEqual({
    a: [],
    b: [],
    when: ['a', 'b'],
    input: ['a'],
    each: ['b'],
    repeat: ['a', 'b'],
    error: ['a'],
    escaped: [],
    unknown: [],
  })
})

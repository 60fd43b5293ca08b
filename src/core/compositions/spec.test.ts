import { expect, test } from 'vitest'
import { type CompositionSpec, compositionSpec, type CompositionStep } from './spec.ts'

const refund: CompositionSpec = {
  kind: 'composition',
  steps: [
    { id: 'find', tool: 'billing.find', input: { id: '{{input.invoiceId}}' } },
    { id: 'risk', tool: 'risk.score', after: ['find'] },
    {
      id: 'ask',
      tool: 'flow.ask',
      when: { field: 'steps.risk.output.score', operator: 'gt', value: 70 },
    },
    { id: 'refund', tool: 'billing.refund', retry: { times: 2 }, onError: 'fail' },
    { id: 'notes', tool: 'crm.note', each: '{{steps.find.output.lines}}', atOnce: 8 },
  ],
  output: { refunded: '{{steps.refund.output.refunded}}' },
}

test('a composition is kept as it was written', () => {
  expect(compositionSpec.parse(refund)).toEqual(refund)
})

const wrongSteps: Partial<Record<keyof CompositionStep | 'unknown', unknown>>[] = [
  { id: '1st' },
  { id: '__proto__' },
  { id: 'a/b' },
  { id: 'x'.repeat(65) },
  { tool: 'Not a name' },
  { input: [] },
  { atOnce: 0 },
  { atOnce: 33 },
  { repeat: { until: { field: 'output', operator: 'exists' }, max: 1001 } },
  { repeat: { max: 3 } },
  { retry: { times: 11 } },
  { timeoutMs: 0 },
  { onError: 'ignore' },
  { version: 'v2' },
  { unknown: true },
]

test.each(wrongSteps)('a step with %j is refused', (wrong) => {
  const steps = [{ id: 'a', tool: 'a.b', ...wrong }]
  expect(compositionSpec.safeParse({ kind: 'composition', steps }).success).toBe(false)
})

test('a composition has 1 to 200 steps', () => {
  const withSteps = (count: number) => ({
    kind: 'composition',
    steps: Array.from({ length: count }, (_, index) => ({ id: `s${index}`, tool: 'a.b' })),
  })
  expect(compositionSpec.safeParse(withSteps(200)).success).toBe(true)
  expect(compositionSpec.safeParse(withSteps(201)).success).toBe(false)
  expect(compositionSpec.safeParse(withSteps(0)).success).toBe(false)
})

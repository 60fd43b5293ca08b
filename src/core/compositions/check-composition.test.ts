import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { aContract } from '../../testing/a-contract.ts'
import type { ToolContract } from '../kernel/tool.ts'
import { checkComposition } from './check-composition.ts'
import { deriveComposition } from './derive-composition.ts'
import type { CompositionStep } from './spec.ts'

const find = defineTool({
  name: 'billing.find',
  description: 'Finds an invoice.',
  effect: 'read',
  inputSchema: z.object({ id: z.string(), note: z.string().nullable() }),
  outputSchema: z.object({ total: z.number(), lines: z.array(z.object({ text: z.string() })) }),
  execute: () => ({ total: 1, lines: [] }),
}).contract
const refund = aContract({
  name: 'billing.refund',
  effect: 'destructive',
  openWorld: true,
  permission: 'billing.refund',
  inputSchema: {
    type: 'object',
    properties: { amount: { type: 'integer' }, why: { type: 'string' } },
    required: ['amount'],
  },
})
const contracts: readonly ToolContract[] = [find, refund, aContract({ name: 'other.loop' })]
const known = {
  find: (name: string) => contracts.find((one) => one.name === name),
  names: () => contracts.map(({ name }) => name),
}
const inputSchema = { type: 'object', properties: { invoiceId: { type: 'string' } } } as const

const check = (steps: CompositionStep[], more: object = {}) =>
  checkComposition({ kind: 'composition', steps, ...more }, { inputSchema, known, name: 'my.own' })
const first: CompositionStep = { id: 'find', tool: 'billing.find', input: { id: 'in_1' } }
const pay = (input: CompositionStep['input'], more: Partial<CompositionStep> = {}) => ({
  id: 'pay',
  tool: 'billing.refund',
  input,
  ...more,
})

test('a composition without problems has no findings', () => {
  const steps = [
    { ...first, input: { id: '{{input.invoiceId}}' } },
    pay(
      { amount: '{{steps.find.output.total}}', why: '{{item.text}} {{index}} {{now}}' },
      { each: '{{steps.find.output.lines}}' },
    ),
  ]
  expect(check(steps, { output: { paid: '{{steps.pay.output.0.any}}' } })).toEqual([])
})

const wrong: [string, CompositionStep[], string, string][] = [
  ['an id twice', [first, first], '/steps/1/id', 'names another step before it'],
  [
    'an unknown tool',
    [{ id: 'a', tool: 'billing.fund' }],
    '/steps/0/tool',
    'did you mean billing.find?',
  ],
  [
    'after nothing',
    [first, pay({ amount: 1 }, { after: ['fnd'] })],
    '/steps/1/after/0',
    'did you mean find?',
  ],
  ['after itself', [pay({ amount: 1 }, { after: ['pay'] })], '/steps/0/after/0', 'the step itself'],
  [
    'an unknown root',
    [pay({ amount: 1, why: '{{secrets.key}}' })],
    '/steps/0/input/why',
    'known here',
  ],
  [
    'an item without a list',
    [pay({ amount: 1, why: '{{item}}' })],
    '/steps/0/input/why',
    'known here',
  ],
  [
    'an input that is not there',
    [pay({ amount: 1, why: '{{input.invoiceld}}' })],
    '/steps/0/input/why',
    'did you mean invoiceId?',
  ],
  [
    'an output that is not there',
    [first, pay({ amount: 1, why: '{{steps.find.output.totl}}' })],
    '/steps/1/input/why',
    'did you mean total?',
  ],
  [
    'a step that is not there',
    [first, pay({ amount: 1, why: '{{steps.fin.output}}' })],
    '/steps/1/input/why',
    'did you mean find?',
  ],
  [
    'no part of a step',
    [first, pay({ amount: 1, why: '{{steps.find.result}}' })],
    '/steps/1/input/why',
    'a step has output',
  ],
  [
    'another type',
    [first, pay({ amount: '{{steps.find.output.lines}}' })],
    '/steps/1/input/amount',
    'takes integer or number',
  ],
  ['a missing field', [pay({})], '/steps/0/input', 'lacks amount'],
  ['braces', [pay({ amount: 1, why: '{{not a reference}}' })], '/steps/0/input/why', 'has braces'],
  [
    'a condition on nothing',
    [first, pay({ amount: 1 }, { when: { field: 'steps.find.output.sum', operator: 'exists' } })],
    '/steps/1/when/field',
    'sum does not exist',
  ],
  [
    'all steps at once, of which some may not have ended',
    [first, pay({ amount: 1, all: '{{steps}}' })],
    '/steps/1/input/all',
    'refers to all steps',
  ],
  [
    'a list that is not one',
    [pay({ amount: 1 }, { each: '{{item}}' })],
    '/steps/0/each',
    'known here',
  ],
  [
    'a circle',
    [pay({ amount: 1 }, { id: 'a', after: ['b'] }), pay({ amount: 1 }, { id: 'b', after: ['a'] })],
    '/steps/0',
    'a → b → a',
  ],
]

test.each(wrong)('%s is found', (...[, steps, path, message]) => {
  const findings = check(steps)
  expect(findings.map((one) => one.path)).toContain(path)
  expect(findings.find((one) => one.path === path)?.message).toContain(message)
})

test('a field that the tool ignores is a warning', () => {
  expect(check([pay({ amount: 1, wy: 'x' })])).toMatchObject([
    { path: '/steps/0/input/wy', severity: 'warning', message: expect.stringContaining('why') },
  ])
})

test('a composition that would call itself is found, also through others', () => {
  const usesOf = (tool: string) => (tool === 'other.loop' ? ['billing.find', 'my.own'] : [])
  const spec = { kind: 'composition', steps: [{ id: 'a', tool: 'other.loop' }] } as const
  const findings = checkComposition(
    { ...spec, steps: [...spec.steps] },
    { inputSchema, known, name: 'my.own', usesOf },
  )
  expect(findings).toMatchObject([
    { path: '/steps/0/tool', message: 'would call itself: my.own → other.loop → my.own' },
  ])
})

test('the facts follow from the steps', () => {
  expect(deriveComposition({ steps: [first] }, known)).toEqual({
    effect: 'read',
    openWorld: false,
    idempotent: true,
    secrets: [],
  })
  expect(deriveComposition({ steps: [first, pay({ amount: 1 })] }, known)).toEqual({
    effect: 'destructive',
    openWorld: true,
    idempotent: false,
    secrets: [],
    permission: 'billing.refund',
  })
})

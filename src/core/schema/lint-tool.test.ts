import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, toTool } from '../define-tool.ts'
import { lintTool } from './lint-tool.ts'

const good = {
  name: 'billing.find',
  description: 'Find invoices by customer. Use it before billing.refund.',
  effect: 'read',
  inputSchema: z.object({ customer: z.string().describe('Id of the customer') }),
  outputSchema: z.object({ ids: z.array(z.string()) }),
  examples: [{ label: 'One customer', input: { customer: 'c_1' } }],
  execute: () => ({ ids: [] }),
} as const

const lint = (fields: object) =>
  lintTool(defineTool({ ...good, ...fields } as never)).map(
    ({ severity, rule, path }) => `${severity} ${rule} ${path}`,
  )

test('a well-defined tool has no findings', () => {
  expect(lintTool(defineTool(good))).toEqual([])
})

test.each([
  [
    'an example that does not fit',
    { examples: [{ label: 'x', input: {} }] },
    ['error example /examples/0/input/customer'],
  ],
  ['no example', { examples: [] }, ['warning example /examples']],
  ['a short description', { description: 'Finds invoices.' }, ['warning description /description']],
  [
    'a description that repeats the title',
    { description: 'Find all the invoices.', title: 'Find all the invoices' },
    ['warning description /description'],
  ],
  [
    'a key without a description',
    { inputSchema: z.object({ customer: z.string() }) },
    ['warning key-description /inputSchema/properties/customer'],
  ],
  ['no output schema', { outputSchema: undefined }, ['warning output-schema /outputSchema']],
  ['a read that is not idempotent', { idempotent: false }, ['warning effect /idempotent']],
  ['a read that sounds like a change', { name: 'billing.delete' }, ['warning effect /effect']],
  ['a change that sounds like a read', { effect: 'destructive' }, ['warning effect /effect']],
  ['an approval for a read', { approval: 'always' }, ['warning effect /approval']],
  ['a secret in capitals', { secrets: ['STRIPE_KEY'] }, ['warning secret /secrets/0/key']],
  [
    'a schema that is not portable',
    {
      inputSchema: z.object({ customer: z.record(z.string(), z.string()).describe('x') }),
      examples: [{ label: 'x', input: { customer: {} } }],
    },
    ['warning portability /inputSchema/properties/customer'],
  ],
  [
    'a section of nothing',
    { sections: [{ key: 'sum', label: 'Sum', type: 'table' }] },
    ['warning section /sections/0/key'],
  ],
])('%s is found', (_, fields, expected) => {
  expect(lint(fields)).toEqual(expected)
})

test('a description of another source that is empty or too long is an error', () => {
  const facts = {
    name: 'mcp:a:b',
    effect: 'read',
    source: 'gateway',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: { type: 'object' },
  } as const
  const errors = ['', 'x'.repeat(2000)].map((description) =>
    lintTool(toTool({ ...facts, description }, { execute: () => 1 })),
  )
  expect(errors.map((findings) => findings.map(({ severity, rule }) => [severity, rule]))).toEqual([
    [['error', 'description']],
    [['error', 'description']],
  ])
})

test('one finding names every provider it concerns', () => {
  const tool = defineTool({
    ...good,
    inputSchema: z.object({ customer: z.tuple([z.string()]).describe('x') }),
    examples: [],
  })
  const portability = lintTool(tool).filter(({ rule }) => rule === 'portability')
  expect(portability.map(({ message }) => message)).toEqual([
    'openai, anthropic: is a tuple; use an object with a key for each position',
  ])
})

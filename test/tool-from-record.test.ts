import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineTool, z } from '../src/app/index.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { fakeModel, startFakeModel } from './chat/fake-model.ts'
import { owner } from './chat/open-chat.ts'

const refunded: unknown[] = []
const tools = [
  defineTool({
    name: 'billing.find',
    description: 'Finds an invoice by its id.',
    effect: 'read',
    inputSchema: z.object({ id: z.string() }),
    outputSchema: z.object({ id: z.string(), customer: z.string(), total: z.number() }),
    execute: ({ id }) => ({ id, customer: `cus-of-${id}`, total: 7050 }),
  }),
  defineTool({
    name: 'billing.refund',
    description: 'Refunds a customer.',
    effect: 'write',
    inputSchema: z.object({
      customer: z.string(),
      amount: z.number(),
      password: z.string().nullable().meta({ format: 'password' }),
    }),
    execute({ customer, amount }) {
      refunded.push([customer, amount])
      return { refund: `re-${refunded.length}` }
    },
  }),
]

let model: Awaited<ReturnType<typeof startFakeModel>>
let crib: Awaited<ReturnType<typeof createTestCrib>>

beforeAll(async () => {
  model = await startFakeModel((_, number) => {
    if (number === 1) return { calls: [{ name: 'billing_find', input: { id: 'inv-17' } }] }
    const input = { customer: 'cus-of-inv-17', amount: 7050, password: 'hunter2hunter2' }
    if (number === 2) return { calls: [{ name: 'billing_refund', input }] }
    return { text: 'Refunded.' }
  })
  const agents = [{ slug: 'helper', model: fakeModel, tools: { allow: ['billing.*'] } }]
  const config = { models: model.config.models, agents } as never
  crib = await createTestCrib({ store: await openTestStore(), config, tools })
})
afterAll(async () => {
  await crib.close()
  await model.close()
})

test('a run and its conversation become a composition, which is created, published and called', async () => {
  const { api } = crib
  const started = await api.startRun(owner, {
    slug: 'helper',
    prompt: 'Refund invoice inv-17, please.',
  })
  const run = await api.findRun(owner, { id: started.id, wait: 60 })
  expect(run.status).toBe('completed')

  const made = await api.draftToolFrom(owner, { run: run.id })
  expect(made).toMatchObject({ replayed: 2, secrets: [] })
  expect(made.document).toMatchObject({
    name: 'billing.refund-flow',
    inputSchema: { required: ['id', 'password'] },
    spec: {
      steps: [
        { id: 'find', tool: 'billing.find', input: { id: '{{input.id}}' } },
        {
          id: 'refund',
          tool: 'billing.refund',
          input: {
            customer: '{{steps.find.output.customer}}',
            amount: '{{steps.find.output.total}}',
            password: '{{input.password}}',
          },
        },
      ],
    },
  })
  const whole = await api.draftToolFrom(owner, { conversation: run.conversationId })
  expect((whole.document as { spec: object }).spec).toEqual(
    (made.document as { spec: object }).spec,
  )

  await api.createTool(owner, { document: made.document, publish: true })
  const input = { id: 'inv-99', password: 'another-secret-1' }
  const called = await api.call({ tool: 'billing.refund-flow', input, caller: owner })
  expect(called).toMatchObject({ status: 'completed' })
  expect(refunded.at(-1)).toEqual(['cus-of-inv-99', 7050])

  expect(JSON.stringify(made)).not.toMatch(/hunter2|redacted|hidden\)/)
  const again = await api.draftToolFrom(owner, { call: called.callId ?? '' })
  expect(again.document).toMatchObject({
    name: 'billing.refund-flow-2',
    spec: (made.document as { spec: object }).spec as never,
    tests: [{ input: { id: 'inv-99' }, given: { 'billing.refund': { refund: 're-2' } } }],
  })
})

test('a single call becomes one step, whose constants can be asked for', async () => {
  const { api } = crib
  const { callId = '' } = await api.call({
    tool: 'billing.find',
    input: { id: 'inv-5' },
    caller: owner,
  })
  const made = await api.draftToolFrom(owner, { call: callId })
  expect(made.document).toMatchObject({
    name: 'billing.find-flow',
    inputSchema: { properties: { id: { type: 'string' } } },
    spec: { steps: [{ tool: 'billing.find', input: { id: '{{input.id}}' } }] },
  })
})

test('what does not exist, is not settled or is named twice is refused', async () => {
  const { api } = crib
  const code = (request: object) =>
    api.draftToolFrom(owner, request as never).then(
      () => undefined,
      ({ code: found }: { code: string }) => found,
    )
  expect(await code({ run: 'run_none' })).toBe('not_found')
  expect(await code({ call: 'call_none' })).toBe('not_found')
  expect(await code({ conversation: 'conv_none' })).toBe('not_found')
  expect(await code({})).toBe('invalid_request')
  expect(await code({ call: 'a', run: 'b' })).toBe('invalid_request')
})

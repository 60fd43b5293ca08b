import { expect, test } from 'vitest'
import { defineTool, ToolError, z } from '../../src/app/index.ts'
import { closingChats, said, shortly } from './open-chat.ts'

const openOne = closingChats()

const reading = defineTool({
  name: 'test.known',
  description: 'Says what is kept.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: async (_input, { state }) => ({ keys: (await state?.keys()) ?? [] }),
})

test('what a tool sets while it hands over is kept once it has', async () => {
  const handed = Promise.withResolvers<{ callId: string; token: string }>()
  const outside = defineTool({
    name: 'test.outside',
    description: 'Hands over.',
    effect: 'write',
    execution: 'external',
    inputSchema: z.object({}),
    async execute(_input, { callId, completion, state }) {
      await state?.set('job', 'job_1')
      handed.resolve({ callId, token: completion.token })
    },
  })
  const { send, api } = await openOne(
    (_, number) => {
      if (number === 1) return { calls: [{ name: 'test_outside', input: {} }] }
      return number === 2 ? { calls: [{ name: 'test_known', input: {} }] } : { text: 'end' }
    },
    { tools: [outside, reading] },
  )
  const message = send('c1', [said('m1', 'go')])
  const { callId, token } = await handed.promise
  await api.complete(callId, token, async () => ({ status: 'completed', response: {} }))
  expect(shortly(await message)).toEqual([
    ['tool-test_outside', 'output-available', {}],
    ['tool-test_known', 'output-available', { keys: ['job'] }],
    'end',
  ])
})

test('what a try has set that failed is not kept by the next one', async () => {
  let tries = 0
  const trying = defineTool({
    name: 'test.try',
    description: 'Does well at the second try.',
    effect: 'write',
    idempotent: true,
    retries: 1,
    inputSchema: z.object({}),
    async execute(_input, { state }) {
      tries += 1
      await state?.set(`try ${tries}`, true)
      if (tries === 1) throw new ToolError('upstream_failed', 'not yet', { retryable: true })
      return { tries }
    },
  })
  const { send } = await openOne(
    (_, number) => {
      if (number === 1) return { calls: [{ name: 'test_try', input: {} }] }
      return number === 2 ? { calls: [{ name: 'test_known', input: {} }] } : { text: 'end' }
    },
    { tools: [trying, reading] },
  )
  expect(shortly(await send('c1', [said('m1', 'go')]))).toEqual([
    ['tool-test_try', 'output-available', { tries: 2 }],
    ['tool-test_known', 'output-available', { keys: ['try 2'] }],
    'end',
  ])
})

test('what JSON does not hold is refused, and so is a key that would be no key', async () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  const values = { function: () => 1, bigint: 10n, Map: new Map([['a', 1]]), itself: cycle }
  const odd = defineTool({
    name: 'test.odd',
    description: 'Tries to keep what can not be kept.',
    effect: 'write',
    inputSchema: z.object({}),
    async execute(_input, { state }) {
      const told: string[] = []
      for (const [key, value] of [...Object.entries(values), ['__proto__', 1] as const]) {
        await state?.set(key, value as never).catch((error: ToolError) => told.push(error.message))
      }
      await state?.set('fine', { at: [1, null], left: undefined } as never)
      return { told, kept: await state?.get('fine'), keys: await state?.keys() }
    },
  })
  const { send } = await openOne(
    (_, number) => (number === 1 ? { calls: [{ name: 'test_odd', input: {} }] } : { text: 'end' }),
    { tools: [odd] },
  )
  expect(shortly(await send('c1', [said('m1', 'go')]))).toEqual([
    [
      'tool-test_odd',
      'output-available',
      {
        told: [
          `The value of "function" can't be kept: it holds a function`,
          `The value of "bigint" can't be kept: it holds a bigint`,
          `The value of "Map" can't be kept: it holds a Map`,
          `The value of "itself" can't be kept: it holds itself or is too deep`,
          'The state takes no key named __proto__',
        ],
        kept: { at: [1, null] },
        keys: ['fine'],
      },
    ],
    'end',
  ])
})

import { expect, test } from 'vitest'
import { defineTool, ToolError, z } from '../../src/app/index.ts'
import { closingTalks, said, shortly } from './talking.ts'

const openOne = closingTalks()

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

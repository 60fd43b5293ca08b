import { expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
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

import { readUIMessageStream } from 'ai'
import { expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import { closingTalks, owner, readMessage, said, shortly } from './talking.ts'

const openOne = closingTalks()

const paying = (ids: readonly number[], name = 'test_pay') => ({
  calls: ids.map((n) => ({ name, input: { n }, id: `p${n}` })),
})

test('a stream that is read again tells what was decided meanwhile', async () => {
  const { send, transport, api } = await openOne((_, number) =>
    number === 1 ? paying([1, 2, 3]) : { text: 'done' },
  )
  await send('c1', [said('m1', 'pay')])
  const { items } = await api.listApprovals(owner, { status: 'pending', limit: 10 })
  const decide = async (n: number, decision: 'approve' | 'reject') => {
    const found = items.find(({ input }) => (input as { n: number }).n === n)
    await api.decideApproval(owner, found?.id ?? '', { decision })
  }
  await decide(1, 'approve')
  await decide(2, 'reject')
  // The same message again, as a client sends it whose line was cut.
  const again = await send('c1', [said('m1', 'pay')])
  expect(again.parts.filter(({ type }) => type === 'tool-test_pay')).toMatchObject([
    { state: 'approval-responded', approval: { approved: true } },
    { state: 'approval-responded', approval: { approved: false } },
    { state: 'approval-requested' },
  ])
  expect(await transport.reconnectToStream({ chatId: 'c1' })).toBeNull()
})

test('what was approved and still runs is not asked of who reads along', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = defineTool({
    name: 'test.slow',
    description: 'Takes its time.',
    effect: 'write',
    approval: 'always',
    execution: 'background',
    inputSchema: z.object({ n: z.number() }),
    async execute({ n }) {
      await gate.promise
      return { n }
    },
  })
  const { send, transport, api } = await openOne(
    (_, number) => (number === 1 ? paying([1], 'test_slow') : { text: 'done' }),
    { tools: [slow] },
  )
  await send('c1', [said('m1', 'pay')])
  const [asked] = (await api.listApprovals(owner, { status: 'pending', limit: 10 })).items
  await api.decideApproval(owner, asked?.id ?? '', { decision: 'approve' })
  const stream = await transport.reconnectToStream({ chatId: 'c1' })
  if (stream === null) throw new Error('nothing runs')
  const [watched, whole] = stream.tee()
  for await (const message of readUIMessageStream({ stream: watched })) {
    const part = message.parts.find(({ type }) => type === 'tool-test_slow')
    if (part !== undefined && 'state' in part && part.state === 'approval-responded') break
  }
  gate.resolve()
  expect(shortly(await readMessage(whole))).toEqual([
    ['tool-test_slow', 'output-available', { n: 1 }],
    'done',
  ])
})

test('a client that asks for the stream of a chat that has not begun is told that nothing runs', async () => {
  const { transport, ask } = await openOne(() => ({ text: 'hi' }))
  expect(await transport.reconnectToStream({ chatId: 'of-my-own' })).toBeNull()
  const unknown = `conv_${'0'.repeat(32)}`
  expect((await ask(`/agents/helper/chat/${unknown}/stream`)).status).toBe(404)
  expect((await ask('/agents/nobody/chat/of-my-own/stream')).status).toBe(404)
})

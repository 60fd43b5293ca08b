import { readUIMessageStream } from 'ai'
import { expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import type { Script } from './fake-model.ts'
import { closingChats, owner, readMessage, said, shortly } from './open-chat.ts'

const openOne = closingChats()

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
    await api.decideApproval(owner, { id: found?.id ?? '', decision })
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
  await api.decideApproval(owner, { id: asked?.id ?? '', decision: 'approve' })
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

/** A talk whose streams are forgotten as they are an hour after their end. */
async function openOld(script: Script) {
  const opened = await openOne(script)
  const forget = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    while ((await opened.store.conversations.removeChunks(Date.now(), 500)) > 0);
  }
  return { ...opened, forget }
}

test('a message that is sent again long after its turn gets the answer that it had', async () => {
  const { send, forget, api } = await openOld((_, number) => {
    if (number > 1) return { text: 'all done' }
    const calls = [...paying([1, 2]).calls, { name: 'test_add', input: { n: 4 }, id: 'a' }]
    return { text: 'let me see', calls: [...calls, { name: 'nobody', input: {}, id: 'x' }] }
  })
  const asked = await send('c1', [said('m1', 'pay')])
  const { items } = await api.listApprovals(owner, { status: 'pending', limit: 10 })
  for (const { id, input } of items) {
    const isFirst = (input as { n: number }).n === 1
    const answer = isFirst
      ? { decision: 'approve' as const }
      : { decision: 'reject' as const, reason: 'too dear' }
    await api.decideApproval(owner, { id, ...answer })
  }
  await expect
    .poll(async () => shortly(await send('c1', [said('m1', 'pay')])).at(-1))
    .toBe('all done')
  const before = await send('c1', [said('m1', 'pay')])
  await forget()
  const after = await send('c1', [said('m1', 'pay')])
  expect(after).toEqual(before)
  expect(after.id).toBe(asked.id)
})

test('of a regenerated answer, only the kept one is shown', async () => {
  const { ask, send, forget } = await openOld((_, number) => ({ text: `answer ${number}` }))
  await send('c1', [said('m1', 'go')])
  await (await ask('/agents/helper/chat', { id: 'c1', trigger: 'regenerate-message' })).text()
  expect(shortly(await send('c1', [said('m1', 'go')]))).toEqual(['answer 2'])
  await send('c1', [said('m2', 'and?')])
  await forget()
  expect(shortly(await send('c1', [said('m1', 'go')]))).toEqual(['answer 2'])
})

test('the end of a turn without text can be read long after', async () => {
  const { ask, forget } = await openOld(() => ({ status: 400, message: 'not so' }))
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'go' }] }
  const before = await (await ask('/agents/helper/chat', { id: 'c1', message })).text()
  await forget()
  const after = await (await ask('/agents/helper/chat', { id: 'c1', message })).text()
  expect(after).toContain('not so')
  expect(after).toBe(before)
})

test('a client that asks for the stream of a chat that has not begun hears that nothing runs', async () => {
  const { transport, ask } = await openOne(() => ({ text: 'hi' }))
  expect(await transport.reconnectToStream({ chatId: 'of-my-own' })).toBeNull()
  const unknown = `conv_${'0'.repeat(32)}`
  expect((await ask(`/agents/helper/chat/${unknown}/stream`)).status).toBe(404)
  expect((await ask('/agents/nobody/chat/of-my-own/stream')).status).toBe(404)
})

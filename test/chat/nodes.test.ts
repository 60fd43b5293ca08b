import { afterEach, expect, test } from 'vitest'
import { createCrib, type Crib } from '../../src/app/index.ts'
import type { TurnStream } from '../../src/core/conversations/conversation-api.ts'
import { createTempDatabase, createTempFolder } from '../../src/store/contract/temp-store.ts'
import { fakeModel, startFakeModel } from './fake-model.ts'
import { createDoings, owner, said } from './open-chat.ts'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close()
})

async function textOf({ chunks }: TurnStream): Promise<string> {
  let text = ''
  for await (const some of chunks) {
    for (const chunk of some as { type: string; delta?: string }[]) {
      if (chunk.type === 'text-delta') text += chunk.delta ?? ''
    }
  }
  return text
}

test('a turn on one node is followed and answered on another, and continues once', async () => {
  const model = await startFakeModel(({ messages }) => {
    if (messages.at(-1)?.role === 'tool') return { text: 'paid, it is' }
    if (JSON.stringify(messages).includes('pay'))
      return { calls: [{ name: 'test_pay', input: { n: 5 } }] }
    return { text: 'one two three four five six seven', delayMs: 100 }
  })
  closing.push(model)
  const { url: database } = await createTempDatabase()
  const { done, tools } = createDoings()
  const agents = [{ slug: 'helper', model: fakeModel, tools: { allow: ['*'] } }]
  // One for both, and not files in the folder that the tests run in.
  const env = { TOOLCRIB_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const data = await createTempFolder()
  closing.push({ close: data.remove })
  const open = async (): Promise<Crib> => {
    const crib = await createCrib({
      database,
      data: data.path,
      tools,
      config: { ...model.config, agents } as never,
      env,
    })
    closing.push(crib)
    return crib
  }
  const [one, two] = [await open(), await open()]
  const talk = { agent: 'helper', id: 'c1' }
  const first = await one.api.chat(owner, { ...talk, message: said('m1', 'talk') })
  const along = await two.api.resumeChat(owner, { agent: 'helper', conversationId: 'c1' })
  if (along === undefined) throw new Error('nothing runs')
  const words = 'one two three four five six seven'
  expect(await Promise.all([textOf(first), textOf(along)])).toEqual([words, words])

  await textOf(await one.api.chat(owner, { ...talk, message: said('m2', 'pay') }))
  const [run] = (await two.api.listRuns(owner, { limit: 1 })).items
  const { waiting = [] } = await two.api.findRun(owner, { id: run?.id ?? '' })
  const approvals = waiting.map(({ id }) => ({ id, approved: true }))
  // Both are told at once: one answer counts, and the turn goes on once.
  const answers = await Promise.all(
    [two, one].map((crib) => crib.api.chat(owner, { ...talk, approvals })),
  )
  expect(await Promise.all(answers.map(textOf))).toEqual(['paid, it is', 'paid, it is'])
  expect(done).toEqual([['pay', 5]])
  expect(model.requests).toHaveLength(3)
  await expect(two.api.chat(owner, { ...talk, approvals })).rejects.toMatchObject({
    code: 'conflict',
  })
})

import { expect, test } from 'vitest'
import { agentSchema } from '../../src/core/rules/rule-schemas.ts'
import { fakeModel } from './fake-model.ts'
import { closingChats, owner } from './open-chat.ts'

const openOne = closingChats()

test('the turns of an agent end with it, and are not taken up by the next one of its name', async () => {
  const { ask, api, done, model } = await openOne((_, number) =>
    number === 1
      ? { calls: [{ name: 'test_pay', input: { n: 1 } }] }
      : { text: 'slow words', delayMs: 3000 },
  )
  const spec = agentSchema.parse({ slug: 'temp', model: fakeModel, tools: { allow: ['*'] } })
  const create = () => api.createAgent(owner, spec)
  const start = async () =>
    (await (await ask('/agents/temp/runs', { prompt: 'go' })).json()) as { id: string }
  const statusOf = async ({ id }: { id: string }) => (await api.findRun(owner, { id })).status
  await create()
  const waiting = await start()
  await expect.poll(() => statusOf(waiting)).toBe('waiting')
  const running = await start()
  await expect.poll(() => model.requests.length).toBe(2)
  await api.deleteAgent(owner, { slug: 'temp' })
  for (const run of [waiting, running]) {
    await expect.poll(() => statusOf(run)).toBe('cancelled')
  }
  const { error } = await api.findRun(owner, { id: waiting.id })
  expect(error).toMatchObject({ code: 'cancelled', message: 'There is no agent "temp" any more' })
  await create()
  expect((await api.listApprovals(owner, { status: 'pending', limit: 5 })).items).toEqual([])
  expect([done, model.requests.length]).toEqual([[], 2])
})

import { expect, test } from 'vitest'
import { fakeModel, type ModelAnswer, type ModelRequest } from './fake-model.ts'
import { closingChats, owner } from './open-chat.ts'

const openOne = closingChats()

const timeoutMs = 1500
const agents = [
  { slug: 'slow', model: fakeModel, description: 'Thinks.', tools: { allow: ['*'] } },
  {
    slug: 'asker',
    model: fakeModel,
    tools: { allow: ['agent:slow', 'test.pay'] },
    settings: { 'agent:slow': { timeoutMs } },
  },
]

const saidIn = ({ messages }: ModelRequest) =>
  JSON.stringify(messages.find(({ role }) => role === 'user'))
const resultIn = ({ messages }: ModelRequest) =>
  messages.at(-1)?.role === 'tool' ? JSON.stringify(messages.at(-1)?.content) : undefined

/** One agent asks another, which does what the test says. */
async function askSlow(answer: () => ModelAnswer | Promise<ModelAnswer>) {
  const opened = await openOne(
    (request) => {
      const result = resultIn(request)
      if (result !== undefined) return { text: `went on after ${result}` }
      if (!saidIn(request).includes('begin')) return answer()
      return { calls: [{ name: 'agent_slow', input: { message: 'think' } }] }
    },
    { agents },
  )
  const { api, ask } = opened
  const started = await ask('/agents/asker/runs', { prompt: 'begin' })
  const { id } = (await started.json()) as { id: string }
  const run = await api.findRun(owner, { id, wait: 60 })
  const child = async () => {
    const { items } = await api.listRuns(owner, { limit: 10 })
    return items.find(({ parentCallId }) => parentCallId !== undefined)
  }
  return { ...opened, run, child }
}

const never = () => new Promise<ModelAnswer>(() => undefined)

test('an agent that hangs is given up when the time is over that its caller has for it', async () => {
  const { api, run, child, model } = await askSlow(never)
  expect(run).toMatchObject({ status: 'completed' })
  expect(run.output).toContain('timeout')
  const callId = (await child())?.parentCallId ?? ''
  expect(await api.findCall(owner, { id: callId })).toMatchObject({
    tool: 'agent:slow',
    status: 'failed',
    error: { code: 'timeout', message: 'The agent did not answer in time' },
  })
  await expect.poll(async () => (await child())?.status).toMatch(/^(?:failed|cancelled)$/)
  // It asks its model no more, and does not wait for it either.
  await expect.poll(() => model.hungUp()).toBe(1)
  expect(model.requests).toHaveLength(3)
})

test('what an overdue agent has asked a person for is asked no more', async () => {
  const { api, run, child, done } = await askSlow(() => ({
    calls: [{ name: 'test_pay', input: { n: 1 } }],
  }))
  expect(run).toMatchObject({ status: 'completed' })
  expect(run.output).toContain('timeout')
  await expect.poll(async () => (await child())?.status).toMatch(/^(?:failed|cancelled)$/)
  const { items } = await api.listCalls(owner, { limit: 10 })
  const paying = items.find(({ tool }) => tool === 'test.pay')
  expect(paying?.status).toMatch(/^(?:failed|cancelled)$/)
  expect(done).toEqual([])
})

test('a direct request to an agent may shorten its time', async () => {
  const { ask, api } = await askSlow(never)
  const path = '/tools/agent:slow/calls'
  const answer = await ask(path, { input: { message: 'think' }, timeoutMs: 1000 })
  const { callId } = (await answer.json()) as { callId: string }
  await expect.poll(async () => (await api.findCall(owner, { id: callId })).status).toBe('failed')
  expect((await api.findCall(owner, { id: callId })).error?.code).toBe('timeout')
})

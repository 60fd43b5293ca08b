import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Run } from '../../src/core/conversations/conversation-api.ts'
import type { ModelRequest } from './fake-model.ts'
import { closingChats, owner } from './open-chat.ts'

const openOne = closingChats()

const soon = { timeout: 60_000 }

/** The model's server is in this process: what it has written is read after some turns of its loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

const isTask = ({ messages }: ModelRequest) => JSON.stringify(messages).includes('the task')

test('a model stopped before its first word counts as asked', async () => {
  const { ask, api, model } = await openOne(() => ({ hang: true }))
  const { id } = (await (await ask('/agents/helper/runs', { prompt: 'go' })).json()) as Run
  await expect.poll(() => model.requests.length, soon).toBe(1)
  expect(await api.cancelRun(owner, { id })).toMatchObject({
    status: 'cancelled',
    usage: { modelCalls: 1, cutOffCalls: 1, inputTokens: 0, outputTokens: 0 },
  })
  const { items } = await api.readEvents(owner, { types: ['turn.cancelled'], limit: 1 })
  expect(items[0]?.data).toMatchObject({ usage: { modelCalls: 1, cutOffCalls: 1 } })
})

test('an agent that is stopped in the middle of its words has used about what they took', async () => {
  const spawn = { tasks: [{ prompt: 'the task' }], maxSteps: null, maxTokens: null }
  const { ask, api, model } = await openOne((request) =>
    isTask(request)
      ? { text: 'many words '.repeat(50), delayMs: 100 }
      : { calls: [{ name: 'agents_spawn', input: spawn }] },
  )
  const { id } = (await (await ask('/agents/helper/runs', { prompt: 'begin' })).json()) as Run
  const findChild = async () =>
    (await api.listRuns(owner, { limit: 5 })).items.find((run) => run.parentCallId !== undefined)
  await expect.poll(() => model.requests.filter(isTask).length, soon).toBe(1)
  await turns(20)
  await api.cancelRun(owner, { id })
  await expect.poll(async () => (await findChild())?.status, soon).toBe('cancelled')
  const child = await findChild()
  expect(child?.usage).toMatchObject({ modelCalls: 1, cutOffCalls: 1 })
  expect(child?.usage.inputTokens).toBeGreaterThan(5)
  expect(child?.usage.outputTokens).toBeGreaterThan(1)
  // It stopped after the turn that had sent it out, and counts there all the same.
  expect((await api.findRun(owner, { id })).usage.sentOut).toEqual(child?.usage)
})

test('a provider that refuses has not been used', async () => {
  const { ask, api } = await openOne(() => ({ status: 400 }))
  const { id } = (await (await ask('/agents/helper/runs', { prompt: 'go' })).json()) as Run
  const run = await api.findRun(owner, { id, wait: 60 })
  expect(run.usage).toEqual({
    modelCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cost: 0,
  })
})

/** Anthropic says at the beginning what it has read, and then thinks. */
function beginToAnswer(to: ServerResponse): void {
  const usage = { input_tokens: 700, cache_read_input_tokens: 300, output_tokens: 1 }
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude-x', usage }
  to.writeHead(200, { 'content-type': 'text/event-stream' })
  const data = { type: 'message_start', message: { ...message, content: [], stop_reason: null } }
  to.write(`event: message_start\ndata: ${JSON.stringify(data)}\n\n`)
}

test('what a provider has told by then is counted as it told it', async () => {
  const begun = Promise.withResolvers<void>()
  const server = createServer((request, to) => {
    request.resume().on('end', () => {
      beginToAnswer(to)
      begun.resolve()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const claude = 'anthropic/claude-x'
  const { api, ask } = await openOne(() => ({ text: '' }), {
    agents: [{ slug: 'claude', model: claude, tools: { allow: [] } }],
    models: {
      anthropic: { baseUrl, apiKey: 'secret:k' },
      prices: { [claude]: { input: 1000, output: 0, cachedInput: 0 } },
    },
  })
  await api.writeSecret(owner, { name: 'k', value: 'some-key' })
  const { id } = (await (await ask('/agents/claude/runs', { prompt: 'go' })).json()) as Run
  await begun.promise
  await turns(10)
  expect((await api.cancelRun(owner, { id })).usage).toEqual({
    modelCalls: 1,
    cutOffCalls: 1,
    inputTokens: 1000,
    outputTokens: 0,
    cachedTokens: 300,
    cost: 0.7,
  })
})

import { expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import type { CribApi } from '../../src/features/crib-api.ts'
import type { Run } from '../../src/core/conversations/conversation-api.ts'
import type { ModelRequest, Script } from './fake-model.ts'
import { closingChats, owner } from './open-chat.ts'

const talk = closingChats()

const hasResult = ({ messages }: ModelRequest) => messages.at(-1)?.role === 'tool'

/** Runs until it is told to stop, and says when it has begun. */
function createSlow() {
  const begun = Promise.withResolvers<void>()
  const tool = defineTool({
    name: 'test.slow',
    description: 'Takes long.',
    effect: 'read',
    inputSchema: z.object({}),
    async execute(_input, { signal }) {
      begun.resolve()
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    },
  })
  return { tool, begun: begun.promise }
}

test('a turn that is stopped while it makes its calls leaves nothing that waits for a person', async () => {
  const slow = createSlow()
  const { ask, api, done } = await talk(
    () => ({
      calls: [
        { name: 'test_pay', input: { n: 1 }, id: 'a' },
        { name: 'test_slow', input: {}, id: 'b' },
      ],
    }),
    { tools: [slow.tool] },
  )
  const run = (await (await ask('/agents/helper/runs', { prompt: 'go' })).json()) as Run
  await slow.begun
  const asked = async () => (await api.listApprovals(owner, { limit: 10 })).items
  await expect.poll(async () => (await asked()).map(({ status }) => status)).toEqual(['pending'])
  const stopped = (await (await ask(`/runs/${run.id}/cancel`, {})).json()) as Run
  expect(stopped.status).toBe('cancelled')
  const [approval] = await asked()
  expect(approval?.status).not.toBe('pending')
  const yes = await ask(`/approvals/${approval?.id}/decision`, { decision: 'approve' })
  expect(yes.status).toBe(409)
  expect(done).toEqual([])
})

test('what tools keep in a conversation, and its files, are of those alone whose it is', async () => {
  const look = defineTool({
    name: 'test.look',
    description: 'Looks.',
    effect: 'read',
    inputSchema: z.object({ at: z.enum(['state', 'files']) }),
    async execute({ at }, { state, attachments }) {
      return { found: (await (at === 'state' ? state?.get('n') : attachments?.list())) ?? null }
    },
  })
  const script: Script = (request) =>
    hasResult(request)
      ? { text: 'kept' }
      : { calls: [{ name: 'test_keep', input: { n: 42, fail: false } }] }
  const { ask, api } = await talk(script, { tools: [look] })
  const told = await ask('/agents/helper/chat', { id: 'c1', message: 'keep it' })
  await told.text()
  const sessionId = told.headers.get('x-conversation-id')
  const { token } = await api.createKey(owner, { name: 'other', scopes: ['tools.call'] })
  const lookAt = async (at: string, key?: string) => {
    const answer = await ask('/tools/test.look/calls', { input: { at }, sessionId }, key)
    return (await answer.json()) as { output?: unknown; error?: { code: string } }
  }
  expect((await lookAt('state')).output).toEqual({ found: 42 })
  expect((await lookAt('state', token)).error?.code).toBe('not_found')
  expect((await lookAt('files', token)).error?.code).toBe('not_found')
  const input = { n: 7, fail: false }
  const kept = await ask('/tools/test.keep/calls', { input, sessionId }, token)
  expect(await kept.json()).toMatchObject({ status: 'failed' })
  expect((await lookAt('state')).output).toEqual({ found: 42 })
})

const picture = (bytes: number) => {
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(bytes)])
  const url = `data:image/png;base64,${png.toString('base64')}`
  return { type: 'file', mediaType: 'image/png', url }
}

/** Without HTTP, whose requests are small unless they are allowed to be larger. */
async function say(api: CribApi, id: string, parts: readonly object[]): Promise<string> {
  const { chunks, conversationId } = await api.chat(owner, {
    agent: 'helper',
    id,
    message: { role: 'user', parts },
  })
  for await (const _ of chunks);
  return conversationId
}

test('files of a message that is refused are not kept, and a conversation has room for so many', async () => {
  const listing = defineTool({
    name: 'test.files',
    description: 'Lists files.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: async (_input, { attachments }) => ({ files: (await attachments?.list()) ?? null }),
  })
  const { api } = await talk(
    ({ messages }) =>
      JSON.stringify(messages).includes('PAY')
        ? { calls: [{ name: 'test_pay', input: { n: 1 } }] }
        : { text: 'seen' },
    { tools: [listing] },
  )
  const sessionId = await say(api, 'c1', [{ type: 'text', text: 'PAY' }])
  await expect(say(api, 'c1', [picture(10)])).rejects.toMatchObject({ code: 'conversation_busy' })
  const caller = { ...owner, sessionId }
  const listed = await api.call({ tool: 'test.files', input: {}, caller })
  expect(listed.output).toEqual({ files: [] })
  const large = picture(10_400_000)
  await say(api, 'c2', [large, large, large, large, large])
  await expect(say(api, 'c2', [large])).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
})

test('a model is sent the newest files, as many as fit into a request', async () => {
  const { api, model } = await talk(() => ({ text: 'seen' }))
  for (const _ of Array.from({ length: 3 })) await say(api, 'c1', [picture(9_000_000)])
  const isLeftOut = (content: unknown) => JSON.stringify(content).includes('not shown any more')
  expect(model.requests[2]?.messages.map(({ content }) => isLeftOut(content))).toEqual([
    false,
    true,
    false,
    false,
    false,
    false,
  ])
})

test('asked to answer again after a failure, it answers what was said last, and takes nothing away', async () => {
  const { ask, model, api } = await talk((_request, number) =>
    number === 2 ? { status: 400 } : { text: `answer ${number}` },
  )
  await (await ask('/agents/helper/chat', { id: 'c1', message: 'FIRST' })).text()
  await (await ask('/agents/helper/chat', { id: 'c1', message: 'SECOND' })).text()
  const again = { id: 'c1', trigger: 'regenerate-message' }
  await (await ask('/agents/helper/chat', again)).text()
  expect(model.requests[2]?.messages.map(({ content }) => content)).toEqual([
    'Help.',
    'FIRST',
    'answer 1',
    'SECOND',
  ])
  await (await ask('/agents/helper/chat', again)).text()
  const [conversation] = (await api.listConversations(owner, { limit: 1 })).items
  const { items } = await api.findConversation(owner, { id: conversation?.id ?? '', limit: 10 })
  expect(
    items.map(({ role, parts }) => [role, JSON.stringify(parts).match(/answer \d|[A-Z]{5,}/)?.[0]]),
  ).toEqual([
    ['user', 'FIRST'],
    ['assistant', 'answer 1'],
    ['user', 'SECOND'],
    ['assistant', 'answer 4'],
  ])
})

test('a retry after a failure halfway continues there and repeats nothing', async () => {
  const { ask, model, done, api } = await talk((_request, number) =>
    number === 1
      ? {
          calls: [
            { name: 'test_keep', input: { n: 7, fail: false } },
            { name: 'test_add', input: { n: 1 } },
          ],
        }
      : number === 2
        ? { status: 400 }
        : { text: `answer ${number}` },
  )
  await (await ask('/agents/helper/chat', { id: 'c1', message: 'FIRST' })).text()
  const again = { id: 'c1', trigger: 'regenerate-message' }
  await (await ask('/agents/helper/chat', again)).text()
  expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'tool',
  ])
  expect(done).toEqual([['add', 1]])
  // What did well is answered anew.
  await (await ask('/agents/helper/chat', again)).text()
  const [conversation] = (await api.listConversations(owner, { limit: 1 })).items
  const { items } = await api.findConversation(owner, { id: conversation?.id ?? '', limit: 10 })
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
  expect(JSON.stringify(items[2]?.parts)).toContain('answer 4')
})

test('asked to answer again after an answer that broke off, the model is not left with the last word', async () => {
  const { ask, model, done } = await talk((_request, number) => {
    if (number === 1) return { calls: [{ name: 'test_add', input: { n: 1 } }] }
    return number === 2 ? { cut: 'It is ' } : { text: 'It is two.' }
  })
  await (await ask('/agents/helper/chat', { id: 'c1', message: 'add' })).text()
  const again = await ask('/agents/helper/chat', { id: 'c1', trigger: 'regenerate-message' })
  expect(await again.text()).toContain('two.')
  expect(model.requests[2]?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'Help.'],
    ['user', 'add'],
    ['assistant', null],
    ['tool', '{"sum":2}'],
  ])
  expect(done).toEqual([['add', 1]])
})

test('a run without a message is refused before anything is stored', async () => {
  const { ask, api } = await talk(() => ({ text: 'what?' }))
  const blank = await ask('/agents/helper/runs', { prompt: ' \n' })
  expect([blank.status, await blank.json()]).toMatchObject([400, { code: 'invalid_request' }])
  expect((await api.listConversations(owner, { limit: 10 })).items).toEqual([])
})

test('nobody can ask for more steps than the agent has', async () => {
  const { ask } = await talk(() => ({ calls: [{ name: 'test_add', input: { n: 1 } }] }), {
    agents: [
      { slug: 'short', model: 'openai-compatible/fake/any', maxSteps: 2, tools: { allow: ['*'] } },
    ],
  })
  const run = (await (
    await ask('/agents/short/runs', { prompt: 'go', maxSteps: 50 })
  ).json()) as Run
  const ended = (await (await ask(`/runs/${run.id}?wait=60`)).json()) as Run
  expect(ended).toMatchObject({ status: 'failed', steps: 2 })
})

test('the cost of a model is reported once, when its turn begins to wait', async () => {
  const prices = { 'openai-compatible/fake/any': { input: 1_000_000, output: 0 } }
  const { ask, api } = await talk(
    (request) =>
      hasResult(request) ? { text: 'paid' } : { calls: [{ name: 'test_pay', input: { n: 1 } }] },
    { models: { prices } },
  )
  const told = await (await ask('/agents/helper/chat', { id: 'c1', message: 'pay' })).text()
  expect(told).toContain('tool-approval-request')
  const costs = async () => {
    const types = 'turn.waiting,turn.completed'
    const { items } = (await (await ask(`/events?types=${types}`)).json()) as {
      items: { type: string; data: { cost?: number } }[]
    }
    return items.map(({ type, data }) => [type, data.cost])
  }
  expect(await costs()).toEqual([['turn.waiting', 100]])
  const [approval] = (await api.listApprovals(owner, { limit: 1 })).items
  const answers = [{ id: approval?.id, approved: true }]
  await (await ask('/agents/helper/chat', { id: 'c1', approvals: answers })).text()
  expect(await costs()).toEqual([
    ['turn.waiting', 100],
    ['turn.completed', 100],
  ])
  const [run] = (await api.listRuns(owner, { limit: 1 })).items
  expect(run?.usage).toMatchObject({ modelCalls: 2, cost: 200 })
  expect(run?.usage).not.toHaveProperty('toldCost')
})

test('a limit of calls at once says nothing about models', async () => {
  const slow = createSlow()
  const { ask } = await talk(
    ({ messages }) =>
      JSON.stringify(messages).includes('SLOW')
        ? { calls: [{ name: 'test_slow', input: {} }] }
        : { text: 'hello' },
    { tools: [slow.tool], limits: { rules: [{ name: 'one', of: 'tenant', concurrent: 1 }] } },
  )
  const run = (await (await ask('/agents/helper/runs', { prompt: 'SLOW' })).json()) as Run
  await slow.begun
  const other = await ask('/agents/helper/runs', { prompt: 'hi' })
  const { id } = (await other.json()) as Run
  const ended = (await (await ask(`/runs/${id}?wait=60`)).json()) as Run
  expect(ended).toMatchObject({ status: 'completed', output: 'hello' })
  await ask(`/runs/${run.id}/cancel`, {})
})

test('endless output of a tool fills neither memory nor disk', async () => {
  const flood = defineTool({
    name: 'test.flood',
    description: 'Yields much.',
    effect: 'read',
    inputSchema: z.object({}),
    async *execute() {
      for (let n = 0; n < 2000; n += 1) {
        if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
        yield { n, text: 'x'.repeat(1000) }
      }
    },
  })
  const { ask } = await talk(
    (request) =>
      hasResult(request) ? { text: 'over' } : { calls: [{ name: 'test_flood', input: {} }] },
    { tools: [flood] },
  )
  const stream = await (await ask('/agents/helper/chat', { id: 'c1', message: 'go' })).text()
  const outputs = stream.split('\n').filter((line) => line.includes('"tool-output-available"'))
  expect(outputs.at(-1)).toContain('"n":1999')
  expect(outputs.length).toBeLessThan(200)
})

test('one answer makes so many calls, and is so long, and no more', async () => {
  const { ask, done } = await talk((request, number) => {
    if (number === 1) {
      const calls = Array.from({ length: 130 }, (_, n) => ({
        name: 'test_add',
        input: { n },
        id: `t${n}`,
      }))
      return { calls }
    }
    return { text: hasResult(request) ? 'over' : 'x'.repeat(2_100_000) }
  })
  const stream = await (await ask('/agents/helper/chat', { id: 'c1', message: 'go' })).text()
  expect(done).toHaveLength(128)
  expect(stream.match(/at most 128 calls can be made at once/g)).toHaveLength(2)
  const long = await (await ask('/agents/helper/chat', { id: 'c2', message: 'go' })).text()
  expect(long).toContain('longer than 2000000 characters')
  expect(long.length).toBeLessThan(10_000)
})

test('an answer that is stopped half way has cost something', async () => {
  const prices = { 'openai-compatible/fake/any': { input: 1_000_000, output: 1_000_000 } }
  const { ask } = await talk(() => ({ text: 'and so on '.repeat(500), delayMs: 20 }), {
    models: { prices },
  })
  const run = (await (await ask('/agents/helper/runs', { prompt: 'go' })).json()) as Run
  const stream = await ask(`/agents/helper/chat/${run.conversationId}/stream`)
  const reader = stream.body?.getReader()
  const text = new TextDecoder()
  for (let told = ''; !told.includes('text-delta');)
    told += text.decode((await reader?.read())?.value)
  await reader?.cancel()
  const stopped = (await (await ask(`/runs/${run.id}/cancel`, {})).json()) as Run
  expect(stopped.status).toBe('cancelled')
  expect(stopped.usage.cost).toBeGreaterThan(1)
})

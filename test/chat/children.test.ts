import { expect, test } from 'vitest'
import { fakeModel, type ModelRequest, type Script } from './fake-model.ts'
import { closingChats, owner, said, shortly } from './open-chat.ts'

const openOne = closingChats()

const agents = [
  {
    slug: 'a-b',
    model: fakeModel,
    description: 'Adds.',
    tools: { allow: ['test.add', 'test.pay'] },
  },
  { slug: 'a_b', model: fakeModel, description: 'Adds too.', tools: { allow: ['*'] } },
  { slug: 'narrow', model: fakeModel, tools: { allow: ['test.add', 'agent:*'] } },
]

async function talk(script: Script) {
  const opened = await openOne(script, { agents })
  return opened
}

const toolNames = ({ tools = [] }: ModelRequest) => tools.map(({ function: { name } }) => name)
const saidIn = ({ messages }: ModelRequest) =>
  JSON.stringify(messages.find(({ role }) => role === 'user'))
const hasResult = ({ messages }: ModelRequest) => messages.at(-1)?.role === 'tool'
const spawn = (prompts: readonly string[]) => ({
  calls: [
    {
      name: 'agents_spawn',
      input: { tasks: prompts.map((prompt) => ({ prompt })), maxSteps: null, maxTokens: null },
    },
  ],
})

test('agents that are sent out answer in order, without the tool that sends out', async () => {
  const seen: string[][] = []
  const { send, api } = await talk((request) => {
    if (hasResult(request)) return { text: 'all back' }
    if (saidIn(request).includes('begin')) return spawn(['task 1', 'task 2', 'task 3'])
    seen.push(toolNames(request))
    return { text: `did ${/task \d/.exec(saidIn(request))?.[0] ?? ''}` }
  })
  const message = await send('c1', [said('m1', 'begin')])
  const [part, text] = shortly(message) as [
    [string, string, { results: { answer: string; status: string }[] }],
    string,
  ]
  expect(part[2].results.map(({ answer, status }) => [answer, status])).toEqual([
    ['did task 1', 'completed'],
    ['did task 2', 'completed'],
    ['did task 3', 'completed'],
  ])
  expect(text).toBe('all back')
  expect(seen).toHaveLength(3)
  expect(seen.flat().filter((name) => name.startsWith('agent'))).toEqual([])
  const { items } = await api.listConversations(owner, { kind: 'subagent', limit: 10 })
  expect(items).toHaveLength(3)
})

test('too many tasks, or an empty one, start nothing', async () => {
  const { send, api } = await talk((request, number) => {
    if (number === 1) return spawn(Array.from({ length: 11 }, (_, index) => `task ${index}`))
    return number === 2 ? spawn(['fine', ' ']) : { text: 'so be it' }
  })
  const parts = shortly(await send('c1', [said('m1', 'begin')]))
  expect(parts.map((part) => (Array.isArray(part) ? part[1] : part))).toEqual([
    'output-error',
    'output-error',
    'so be it',
  ])
  expect((await api.listConversations(owner, { kind: 'subagent', limit: 10 })).items).toEqual([])
})

test('what an agent that was sent out needs a person for is asked in the conversation above', async () => {
  const { send, api, ask, done } = await talk((request) => {
    if (hasResult(request))
      return { text: `heard ${JSON.stringify(request.messages.at(-1)?.content)}` }
    if (saidIn(request).includes('begin')) return spawn(['pay it'])
    return { calls: [{ name: 'test_pay', input: { n: 4 } }] }
  })
  await send('c1', [said('m1', 'begin')])
  const [conversation] = (await api.listConversations(owner, { kind: 'chat', limit: 1 })).items
  const { waiting } = await api.findConversation(owner, { id: conversation?.id ?? '', limit: 10 })
  expect(waiting).toMatchObject([{ tool: 'test.pay', sessionId: conversation?.id }])
  expect(done).toEqual([])
  const approvals = waiting.map(({ id }) => ({ id, approved: true }))
  const answer = await ask('/agents/helper/chat', { id: 'c1', approvals })
  expect(await answer.text()).toContain('paid')
  expect(done).toEqual([['pay', 4]])
  const [run] = (await api.listRuns(owner, { conversationId: conversation?.id ?? '', limit: 1 }))
    .items
  expect(run).toMatchObject({ status: 'completed' })
})

test('an agent that another asks has what both may use, and asks nobody itself', async () => {
  const offered: Record<string, string[]> = {}
  const { api, ask } = await talk((request) => {
    const text = saidIn(request)
    if (hasResult(request)) return { text: 'answered' }
    if (text.includes('ask both')) {
      offered['narrow'] = toolNames(request)
      return {
        calls: [
          { name: 'agent_a-b', input: { message: 'sum one' } },
          { name: 'agent_a_b', input: { message: 'sum two' } },
        ],
      }
    }
    offered[text.includes('one') ? 'a-b' : 'a_b'] = toolNames(request)
    return { text: 'five' }
  })
  const started = await ask('/agents/narrow/runs', { prompt: 'ask both' })
  const { id } = (await started.json()) as { id: string }
  expect(await api.findRun(owner, { id, wait: 60 })).toMatchObject({
    status: 'completed',
    output: 'answered',
  })
  expect(offered).toEqual({
    narrow: ['agent_a-b', 'agent_a_b', 'test_add'],
    'a-b': ['test_add'],
    a_b: ['test_add'],
  })
})

test('stopping the one above stops those that it has sent out', async () => {
  const { api, ask } = await talk(async (request) => {
    if (saidIn(request).includes('begin')) return spawn(['forever'])
    await new Promise((resolve) => setTimeout(resolve, 5000))
    return { text: 'too late' }
  })
  const started = await ask('/agents/helper/runs', { prompt: 'begin' })
  const { id } = (await started.json()) as { id: string }
  const children = async () =>
    (await api.listRuns(owner, { limit: 10 })).items.filter(
      ({ parentCallId }) => parentCallId !== undefined,
    )
  await expect.poll(async () => (await children())[0]?.status, { timeout: 60_000 }).toBe('running')
  expect(await api.cancelRun(owner, { id })).toMatchObject({ status: 'cancelled' })
  await expect
    .poll(async () => (await children())[0]?.status, { timeout: 60_000 })
    .toBe('cancelled')
})

test('the answer of an agent that was sent out is not deleted before it is read', async () => {
  const { api, ask, app, token } = await talk((request) => {
    if (hasResult(request)) return { text: 'all back' }
    if (saidIn(request).includes('begin')) return spawn(['quick', 'pay it'])
    if (saidIn(request).includes('quick')) return { text: 'here' }
    return { calls: [{ name: 'test_pay', input: { n: 4 } }] }
  })
  const started = await ask('/agents/helper/runs', { prompt: 'begin' })
  const { id } = (await started.json()) as { id: string }
  const pending = async () =>
    (await api.listApprovals(owner, { status: 'pending', limit: 5 })).items
  await expect.poll(async () => (await pending()).length, { timeout: 60_000 }).toBe(1)
  const runs = async () => (await api.listRuns(owner, { limit: 10 })).items
  const quick = async () => (await runs()).find(({ status }) => status === 'completed')
  await expect.poll(async () => (await quick())?.id, { timeout: 60_000 }).toBeDefined()
  const path = `/api/v1/conversations/${(await quick())?.conversationId}`
  const remove = () =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      }),
    )
  const refused = await remove()
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'conversation_busy' }])
  const [asked] = await pending()
  await api.decideApproval(owner, { id: asked?.id ?? '', decision: 'reject' })
  const run = await api.findRun(owner, { id, wait: 60 })
  expect(run).toMatchObject({ status: 'completed', output: 'all back' })
  expect((await remove()).status).toBe(204)
})

test('what agents have used that a stopped turn had sent out is shown beside its own', async () => {
  const { api, ask } = await talk((request) => {
    if (saidIn(request).includes('begin')) return spawn(['quick', 'pay it'])
    if (saidIn(request).includes('quick')) return { text: 'here' }
    return { calls: [{ name: 'test_pay', input: { n: 4 } }] }
  })
  const started = await ask('/agents/helper/runs', { prompt: 'begin' })
  const { id } = (await started.json()) as { id: string }
  const used = async () =>
    (await api.listRuns(owner, { limit: 10 })).items.map(({ usage }) => usage.modelCalls)
  await expect.poll(used, { timeout: 60_000 }).toEqual([1, 1, 1])
  expect(await api.cancelRun(owner, { id })).toMatchObject({
    status: 'cancelled',
    usage: { modelCalls: 1, sentOut: { modelCalls: 2, inputTokens: 200 } },
  })
})

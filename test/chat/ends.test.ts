import { expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import type { Run } from '../../src/core/conversations/conversation-api.ts'
import type { Completion } from '../../src/core/kernel/call.ts'
import { fakeModel, type ModelRequest, type Script } from './fake-model.ts'
import { closingChats, type openChat, owner } from './open-chat.ts'

const openOne = closingChats()

async function talk(script: Script, more: Parameters<typeof openChat>[1] = {}) {
  const opened = await openOne(script, more)
  const { ask } = opened
  const readRun = async (id: string) => (await (await ask(`/runs/${id}`)).json()) as Run
  const begin = async (body: object = {}) =>
    (await (await ask('/agents/helper/runs', { prompt: 'go', ...body })).json()) as Run
  /** What the conversation says of its calls, by the ids that the model gave them. */
  const readCalls = async ({ conversationId }: Run) => {
    const detail = await (await ask(`/conversations/${conversationId}`)).json()
    const { items } = detail as { items: { parts: Record<string, unknown>[] }[] }
    const parts = items.flatMap((message) => message.parts).filter((part) => part['toolCallId'])
    return Object.fromEntries(
      parts.map((part) => [part['toolCallId'], part['output'] ?? part['errorText']]),
    )
  }
  return { ...opened, begin, readRun, readCalls }
}

/** Hands its work over, and says when it has. */
function createOutside() {
  const handed = Promise.withResolvers<Completion>()
  const tool = defineTool({
    name: 'test.outside',
    description: 'Hands over.',
    effect: 'write',
    execution: 'external',
    inputSchema: z.object({ n: z.number() }),
    execute(_input, { completion }) {
      if (completion !== undefined) handed.resolve(completion)
      return {}
    },
  })
  return { tool, handed: handed.promise }
}

const hasResult = ({ messages }: ModelRequest) => messages.at(-1)?.role === 'tool'

const results = ({ messages }: ModelRequest) =>
  Object.fromEntries(
    messages.flatMap(({ role, tool_call_id: id, content }) =>
      role === 'tool' ? [[id, content]] : [],
    ),
  )

const threeCalls: Script = ({ messages }) =>
  messages.at(-1)?.content === 'go'
    ? {
        calls: [
          { name: 'test_pay', input: { n: 90 }, id: 'paid' },
          { name: 'test_pay', input: { n: 91 }, id: 'asked' },
          { name: 'test_outside', input: { n: 92 }, id: 'handed' },
          { name: 'test_later', input: { n: 93 }, id: 'later' },
        ],
      }
    : { text: 'fine' }

async function payOne({ api, done }: Awaited<ReturnType<typeof talk>>) {
  const pending = async () => (await api.listApprovals(owner, { limit: 10 })).items
  await expect.poll(async () => (await pending()).length).toBe(2)
  const first = (await pending()).find(({ input }) => (input as { n: number }).n === 90)
  await api.decideApproval(owner, { id: first?.id ?? '', decision: 'approve' })
  await expect.poll(() => done).toContainEqual(['pay', 90])
  await expect.poll(() => done).toContainEqual(['later', 93])
  await expect
    .poll(async () => (await api.listCalls(owner, { status: 'completed', limit: 9 })).items.length)
    .toBe(2)
}

test('a turn that is stopped tells of every call what became of it', async () => {
  const outside = createOutside()
  const opened = await talk(threeCalls, { tools: [outside.tool] })
  const { ask, begin, readRun, readCalls, model } = opened
  const run = await begin()
  await outside.handed
  await payOne(opened)
  const stopped = (await (await ask(`/runs/${run.id}/cancel`, {})).json()) as Run
  expect(stopped.status).toBe('cancelled')
  const why = 'Somebody stopped the agent'
  expect(await readCalls(run)).toEqual({
    paid: { paid: 90 },
    asked: `It was not run: ${why}`,
    handed: expect.stringMatching(/^cancelled: It had begun/),
    later: { late: 93 },
  })
  const { conversationId } = run
  const next = await begin({ prompt: 'what was done?', conversationId })
  await expect.poll(async () => (await readRun(next.id)).status).toBe('completed')
  const told = results(model.requests.at(-1)!)
  expect(told['paid']).toBe('{"paid":90}')
  expect(told['asked']).toBe(`It was not run: ${why}`)
})

test('a turn that is overdue tells of every call what became of it', async () => {
  const outside = createOutside()
  const opened = await talk(threeCalls, { tools: [outside.tool] })
  const { begin, readRun, readCalls } = opened
  const run = await begin({ timeoutMs: 4000 })
  await outside.handed
  await payOne(opened)
  await expect.poll(async () => (await readRun(run.id)).status).toBe('failed')
  // Whichever comes first, the end of the turn or that of its group: a write that began is not to be repeated.
  const { paid, asked, handed, later } = await readCalls(run)
  expect([paid, later]).toEqual([{ paid: 90 }, { late: 93 }])
  expect(asked).toMatch(/^(?:It was not run|timeout)/)
  expect(handed).toMatch(/^(?:cancelled: It had begun|timeout: [^\n]*$)/)
})

test('with an approval and a stop at once, calls that ran are reported and others are not', async () => {
  const { ask, api, begin, readCalls, done } = await talk(({ messages }) =>
    messages.at(-1)?.content === 'go'
      ? { calls: [{ name: 'test_pay', input: { n: 1 }, id: 'paid' }] }
      : { text: 'fine' },
  )
  for (let round = 0; round < 5; round += 1) {
    const before = done.length
    const run = await begin()
    const pending = async () =>
      (await api.listApprovals(owner, { status: 'pending', limit: 10 })).items
    await expect.poll(async () => (await pending()).length).toBe(1)
    const [asked] = await pending()
    await Promise.all([
      ask(`/approvals/${asked?.id}/decision`, { decision: 'approve' }),
      ask(`/runs/${run.id}/cancel`, {}),
    ])
    const { paid } = await readCalls(run)
    expect(String(paid).startsWith('It was not run')).toBe(done.length === before)
  }
})

test('an agent that was sent out sums up with its last step', async () => {
  const outer = ({ messages }: ModelRequest) => messages.some(({ content }) => content === 'go')
  const opened = await talk((request) => {
    if (outer(request)) {
      const task = { tasks: [{ prompt: 'look' }], maxSteps: 3, maxTokens: null }
      return hasResult(request)
        ? { text: 'fine' }
        : { calls: [{ name: 'agents_spawn', input: task, id: 'sent' }] }
    }
    const isLast = JSON.stringify(request.messages[0]).includes('This is your last step')
    return isLast ? { text: 'found two' } : { calls: [{ name: 'test_add', input: { n: 1 } }] }
  })
  const run = await opened.begin()
  await expect.poll(async () => (await opened.readRun(run.id)).status).toBe('completed')
  expect((await opened.readCalls(run))['sent']).toMatchObject({
    results: [{ status: 'completed', answer: 'found two', error: null }],
  })
})

test('steps that are used up are a limit, not a fault of the model', async () => {
  const { begin, readRun } = await talk((_, number) => ({
    calls: [{ name: 'test_add', input: { n: number } }],
  }))
  const run = await begin({ maxSteps: 2 })
  await expect.poll(async () => (await readRun(run.id)).status).toBe('failed')
  expect((await readRun(run.id)).error).toMatchObject({ code: 'budget_exceeded', retryable: false })
})

test('a write whose state does not fit still completes, with a warning', async () => {
  const wrote: string[] = []
  const tool = defineTool({
    name: 'test.note',
    description: 'Notes.',
    effect: 'write',
    inputSchema: z.object({ key: z.string() }),
    async execute({ key }, { state }) {
      await state?.set(key, 'x'.repeat(40_000))
      // Both have read the state before either writes.
      await new Promise((resolve) => setTimeout(resolve, 200))
      wrote.push(key)
      return { wrote: key }
    },
  })
  const { begin, readRun, readCalls, api } = await talk(
    (request) =>
      hasResult(request)
        ? { text: 'fine' }
        : {
            calls: [
              { name: 'test_note', input: { key: 'a' }, id: 'a' },
              { name: 'test_note', input: { key: 'b' }, id: 'b' },
            ],
          },
    { tools: [tool] },
  )
  const run = await begin()
  await expect.poll(async () => (await readRun(run.id)).status).toBe('completed')
  expect(wrote.toSorted()).toEqual(['a', 'b'])
  expect(await readCalls(run)).toMatchObject({ a: { wrote: 'a' }, b: { wrote: 'b' } })
  const { items } = await api.listCalls(owner, { tool: 'test.note', limit: 9 })
  expect(items.map(({ status }) => status)).toEqual(['completed', 'completed'])
  const warnings = items.flatMap((call) => call.warnings ?? [])
  expect(warnings).toEqual([expect.stringMatching(/done, but the state was not kept/)])
})

test('what agents use that were sent out counts against the turn, and is shown beside its own', async () => {
  const spawn = (count: number) => ({
    tasks: Array.from({ length: count }, () => ({ prompt: 'look' })),
    maxSteps: null,
    maxTokens: null,
  })
  const opened = await talk(
    (request, _number) => {
      if (!request.messages.some(({ content }) => content === 'go')) return { text: 'seen' }
      const before = request.messages.filter(({ role }) => role === 'tool').length
      if (before === 2) return { text: 'fine' }
      const input = spawn(before === 0 ? 10 : 2)
      return { calls: [{ name: 'agents_spawn', input, id: `sent${before}` }] }
    },
    {
      agents: [],
      models: { prices: { 'openai-compatible/*': { input: 1000, output: 1000 } } },
      config: {
        agents: [
          { slug: 'helper', model: fakeModel, maxTurnTokens: 5000, tools: { allow: ['*'] } },
        ],
      },
    },
  )
  const run = await opened.begin()
  await expect.poll(async () => (await opened.readRun(run.id)).status).toBe('completed')
  const calls = await opened.readCalls(run)
  expect(calls['sent0']).toMatch(/^budget_exceeded: The turn has 4890 tokens left for agents/)
  expect(calls['sent1']).toMatchObject({ results: [{ answer: 'seen' }, { answer: 'seen' }] })
  const { usage } = await opened.readRun(run.id)
  expect(usage).toMatchObject({ modelCalls: 3, sentOut: { modelCalls: 2, inputTokens: 200 } })
  const { items } = await opened.api.listCalls(owner, { tool: 'agents.spawn', limit: 9 })
  const sent = items.find(({ status }) => status === 'completed')
  expect(sent?.cost).toBeCloseTo(usage.sentOut?.cost ?? 0)
  expect(sent?.cost).toBeGreaterThan(0)
})

test('partial answers are not asked for again when the conversation is read', async () => {
  const opened = await talk(() => ({
    calls: [
      { name: 'test_pay', input: { n: 90 }, id: 'paid' },
      { name: 'test_pay', input: { n: 91 }, id: 'asked' },
    ],
  }))
  const { api, begin, ask, done } = opened
  const { conversationId } = await begin()
  const pending = async () => (await api.listApprovals(owner, { limit: 10 })).items
  await expect.poll(async () => (await pending()).length).toBe(2)
  const first = (await pending()).find(({ input }) => (input as { n: number }).n === 90)
  await api.decideApproval(owner, { id: first?.id ?? '', decision: 'approve' })
  await expect.poll(() => done).toEqual([['pay', 90]])
  const detail = await (await ask(`/conversations/${conversationId}`)).json()
  const { items } = detail as { items: { parts: { toolCallId?: string; state?: string }[] }[] }
  const calls = items.at(-1)?.parts.filter(({ toolCallId }) => toolCallId !== undefined)
  expect(calls).toMatchObject([
    { toolCallId: 'paid', state: 'approval-responded', approval: { approved: true } },
    { toolCallId: 'asked', state: 'approval-requested' },
  ])
})

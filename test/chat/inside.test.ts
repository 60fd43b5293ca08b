import { spawn } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { serveHttp } from '../../src/doors/http/serve-http.ts'
import { fakeModel, type ModelAnswer, type Script } from './fake-model.ts'
import { openChat, owner, said, shortly } from './open-chat.ts'

let open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()))
  open = []
})

async function talk(
  answers: readonly ModelAnswer[] | Script,
  more: Parameters<typeof openChat>[1] = {},
) {
  const script: Script =
    typeof answers === 'function'
      ? answers
      : (_request, number) => answers[number - 1] ?? { text: 'end' }
  const opened = await openChat(script, more)
  open.push(opened)
  return opened
}

type Talk = Awaited<ReturnType<typeof talk>>

/** Begins a run and waits for its end. */
async function run({ ask, api }: Talk, prompt: string, key?: string) {
  const begun = await ask('/agents/helper/runs', { prompt }, key)
  const { id } = (await begun.json()) as { id: string }
  return api.findRun(owner, { id, wait: 60 })
}

const thinking = defineTool({
  name: 'test.think',
  description: 'Asks the model of whoever calls.',
  effect: 'read',
  inputSchema: z.object({ times: z.number() }),
  async execute({ times }, { model }) {
    const answers: (string | undefined)[] = []
    for (let time = 0; time < times; time += 1) {
      answers.push((await model?.generate({ prompt: 'inner', instructions: 'Be short.' }))?.text)
    }
    return { answers }
  },
})

test('a tool asks the model of the agent that calls it, and what that costs is the call’s', async () => {
  const opened = await talk(
    ({ messages }, number) =>
      messages.at(-1)?.content === 'inner'
        ? { text: 'a thought' }
        : number === 1
          ? { calls: [{ name: 'test_think', input: { times: 2 } }] }
          : { text: 'done' },
    { tools: [thinking], models: { prices: { [fakeModel]: { input: 1_000_000, output: 0 } } } },
  )
  const message = await opened.send('c1', [said('m1', 'think')])
  expect(shortly(message)).toEqual([
    ['tool-test_think', 'output-available', { answers: ['a thought', 'a thought'] }],
    'done',
  ])
  expect(opened.model.requests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
    ['system', 'user'],
    ['system', 'user'],
    ['system', 'user'],
    ['system', 'user', 'assistant', 'tool'],
  ])
  const { items } = await opened.api.readEvents(owner, { types: ['call.completed'], limit: 10 })
  const usage = { modelCalls: 2, inputTokens: 200, outputTokens: 20, cachedTokens: 0 }
  expect(items.map(({ data }) => data)).toMatchObject([{ cost: 200, usage }])
})

test.each([
  ['says nothing', { hang: true }, /did not begin to answer in 1 s/],
  ['stops in the middle', { pause: 'a thou' }, /broke off in the middle of its answer/],
] as const)(
  'a tool whose model %s is told so soon, and that it was asked is counted',
  async (_how, answer, message) => {
    const { crib, api } = await talk(() => answer, {
      tools: [thinking],
      limits: { modelFirstMs: 1000, modelChunkMs: 1000 },
    })
    const began = performance.now()
    const { error } = await crib.call('test.think', { times: 1 }, { agent: 'helper' })
    expect(error).toMatchObject({ code: 'model_failed', message: expect.stringMatching(message) })
    // By itself it would be waited for much longer.
    expect(performance.now() - began).toBeLessThan(30_000)
    const failures = async () =>
      (await api.readEvents(owner, { types: ['call.failed'], limit: 1 })).items
    const calls = 'hang' in answer ? 2 : 1
    await expect
      .poll(failures)
      .toMatchObject([{ data: { usage: { modelCalls: calls, cutOffCalls: calls } } }])
  },
)

test('a call that asks its model counts against a budget once, and as soon as it has asked', async () => {
  const { crib, api } = await talk(() => ({ text: 'a thought' }), {
    tools: [thinking],
    models: { prices: { [fakeModel]: { input: 1_000_000, output: 0 } } },
  })
  await api.writeLimit(ownerOf(), { name: 'spend', of: 'agent', costPerDay: 250 })
  const think = async (times: number) => {
    const { status, error } = await crib.call('test.think', { times }, { agent: 'helper' })
    return error?.code ?? status
  }
  expect([await think(1), await think(1), await think(1), await think(1)]).toEqual([
    'completed',
    'completed',
    'completed',
    'budget_exceeded',
  ])
  await api.writeLimit(ownerOf(), { name: 'spend', of: 'agent', costPerDay: 450 })
  // 300 were used: the second of its questions is the last one that there is room for.
  expect(await think(3)).toBe('budget_exceeded')
})

test('a turn whose key is revoked ends before its next step', async () => {
  const keys: { id: string }[] = []
  const opened: Talk = await talk([{ calls: [{ name: 'test_revoke', input: {} }] }], {
    tools: [
      defineTool({
        name: 'test.revoke',
        description: 'Takes the key away.',
        effect: 'write',
        inputSchema: z.object({}),
        async execute() {
          await opened.api.revokeKey(owner, { id: keys[0]?.id ?? '' })
          return {}
        },
      }),
    ],
  })
  const { key, token } = await opened.api.createKey(owner, { name: 'short', scopes: ['*'] })
  keys.push(key)
  const ended = await run(opened, 'go', token)
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'forbidden' } })
  expect(ended.error?.message).toContain('revoked')
  expect(opened.model.requests).toHaveLength(1)
})

const inAMoment = () => new Date(Date.now() + 3000).toISOString()

test('a turn whose key expires or is revoked ends also while its model thinks', async () => {
  const opened = await talk(() => new Promise<never>(() => undefined))
  const create = (expiresAt?: string) =>
    opened.api.createKey(owner, { name: 'short', scopes: ['*'], ...(expiresAt && { expiresAt }) })
  const revoked = await create()
  const expiring = await create(inAMoment())
  const ends = Promise.all([expiring, revoked].map(({ token }) => run(opened, 'go', token)))
  await expect.poll(() => opened.model.requests.length).toBe(2)
  await opened.api.revokeKey(owner, { id: revoked.key.id })
  const code = 'forbidden'
  expect(await ends).toMatchObject([
    { status: 'failed', error: { code, message: expect.stringContaining('has expired') } },
    { status: 'failed', error: { code, message: expect.stringContaining('is revoked') } },
  ])
})

test('the turn of a suspended or removed member ends, also while its model thinks', async () => {
  const opened = await talk(() => new Promise<never>(() => undefined))
  const { api } = opened
  const begin = async (email: string) => {
    const { id } = await api.createMember(owner, { email, role: 'admin' })
    const principal = { kind: 'user', id } as const
    const { id: runId } = await api.startRun(
      { ...owner, principal },
      { slug: 'helper', prompt: 'go' },
    )
    return { id, end: api.findRun(owner, { id: runId, wait: 60 }) }
  }
  const suspended = await begin('ada@example.com')
  const removed = await begin('bob@example.com')
  await expect.poll(() => opened.model.requests.length).toBe(2)
  await api.changeMember(owner, { id: suspended.id, status: 'suspended' })
  await api.removeMember(owner, { id: removed.id })
  const code = 'forbidden'
  expect(await Promise.all([suspended.end, removed.end])).toMatchObject([
    { status: 'failed', error: { code, message: expect.stringContaining('is suspended') } },
    { status: 'failed', error: { code, message: expect.stringContaining('was removed') } },
  ])
})

test('a tool that runs for a turn whose key expires is stopped', async () => {
  const opened = await talk([{ calls: [{ name: 'test_hang', input: {} }] }], {
    tools: [
      defineTool({
        name: 'test.hang',
        description: 'Takes for ever.',
        effect: 'write',
        inputSchema: z.object({}),
        execute: () => new Promise<never>(() => undefined),
      }),
    ],
  })
  const expiresAt = inAMoment()
  const { token } = await opened.api.createKey(owner, { name: 'short', scopes: ['*'], expiresAt })
  expect(await run(opened, 'go', token)).toMatchObject({
    status: 'failed',
    error: { code: 'forbidden' },
  })
  const { items } = await opened.api.listCalls(owner, { tool: 'test.hang', limit: 1 })
  const message = expect.stringContaining('has expired')
  expect(items).toMatchObject([{ status: 'failed', error: { code: 'forbidden', message } }])
  expect(opened.model.requests).toHaveLength(1)
})

test('an approval that expires in a turn ends its call, and the model continues with that', async () => {
  const opened = await talk(
    [{ calls: [{ name: 'test_pay', input: { n: 1 } }] }, { text: 'then not' }],
    { config: { approvals: { expiresIn: '1s' } } },
  )
  const ended = await run(opened, 'pay')
  expect(ended).toMatchObject({ status: 'completed', output: 'then not' })
  expect(opened.done).toEqual([])
  expect(JSON.stringify(opened.model.requests[1]?.messages)).toContain('expired')
})

test('an agent that searches finds a tool, and calls it by its own name', async () => {
  const opened = await talk(
    [
      { calls: [{ name: 'tools_search', input: { query: 'adds one', limit: null } }] },
      { calls: [{ name: 'tools_call', input: { name: 'test.add', input: '{"n":4}' } }] },
      { calls: [{ name: 'tools_call', input: { name: 'test.pay', input: '{"n":9}' } }] },
      { text: 'waiting' },
    ],
    {
      config: {
        agents: [
          {
            slug: 'helper',
            model: fakeModel,
            instructions: 'Help.',
            tools: { allow: ['*'] },
            toolMode: 'search',
          },
        ],
      },
    },
  )
  const message = await opened.send('c1', [said('m1', 'add')])
  expect(opened.model.requests[0]?.tools?.map((tool) => tool.function.name).sort()).toEqual([
    'tools_call',
    'tools_describe',
    'tools_search',
  ])
  expect(opened.done).toEqual([['add', 4]])
  expect(JSON.stringify(opened.model.requests[1]?.messages)).toContain('test.add')
  expect(shortly(message).at(-1)).toEqual(['tool-tools_call', 'approval-requested'])
  const { items } = await opened.api.listApprovals(owner, { status: 'pending', limit: 10 })
  expect(items.map(({ tool, input }) => [tool, input])).toEqual([['test.pay', { n: 9 }]])
})

/** A process that knows nothing but an address and a token. */
const worker = `
const [url, token] = process.argv.slice(1)
const response = await fetch(url, {
  method: 'POST',
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
  body: JSON.stringify({ status: 'completed', response: { from: 'outside' } }),
})
process.exitCode = response.ok ? 0 : 1
`

test('an outside worker completes a call of a turn, which continues with the result', async () => {
  const codes: Promise<unknown>[] = []
  const opened: Talk = await talk(
    [{ calls: [{ name: 'test_outside', input: {} }] }, { text: 'it came' }],
    {
      tools: [
        defineTool({
          name: 'test.outside',
          description: 'Has somebody else do it.',
          effect: 'write',
          execution: 'external',
          inputSchema: z.object({}),
          execute(_input, { completion, callId }) {
            const address = `${served.url}/api/v1/calls/${callId}/complete`
            const args = ['--input-type=module', '-e', worker, address, completion.token]
            const child = spawn(process.execPath, args)
            codes.push(new Promise((resolve) => child.once('exit', resolve)))
            return {}
          },
        }),
      ],
    },
  )
  const served = await serveHttp(opened.app, { port: 0, host: '127.0.0.1' })
  open.push(served)
  const message = await opened.send('c1', [said('m1', 'go')])
  expect(shortly(message)).toEqual([
    ['tool-test_outside', 'output-available', { from: 'outside' }],
    'it came',
  ])
  expect(await Promise.all(codes)).toEqual([0])
})

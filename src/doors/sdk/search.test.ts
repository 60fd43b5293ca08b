import { generateText, isStepCount, type ModelMessage } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../../app/crib.ts'
import { ownerOf } from '../../app/owner.ts'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { ToolPort } from '../../core/offer/tool-port.ts'
import { createHttpApp } from '../http/create-http-app.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import { toOpenAI } from './adapters/to-openai.ts'
import { connectCrib } from './connect-crib.ts'
import { createToolSet, type CribToolSet } from './create-tool-set.ts'
import { callTools, playModel, sayText } from './testing/play-model.ts'

const ran: string[] = []
let crib: Crib
beforeAll(async () => {
  const order = z.object({ order: z.string() })
  const filler = Array.from({ length: 30 }, (_, at) =>
    defineTool({
      name: `weather.station-${at}`,
      description: 'Reads a weather station.',
      effect: 'read',
      inputSchema: z.object({}),
      execute: () => at,
    }),
  )
  const refund = (name: string, approval: 'auto' | 'always') =>
    defineTool({
      name,
      description: 'Gives the money of an order back to the customer.',
      effect: 'write',
      approval,
      inputSchema: order,
      execute: (input: { order: string }) => {
        ran.push(`${name} ${input.order}`)
        return { refunded: input.order }
      },
    })
  crib = await createTestCrib({
    tools: [...filler, refund('billing.refund', 'auto'), refund('billing.chargeback', 'always')],
    config: {
      agents: [{ slug: 'searcher', model: 'demo', toolMode: 'search', tools: { allow: ['*'] } }],
    },
  })
})
afterAll(() => crib.close())

const go: ModelMessage = { role: 'user', content: 'go' }
const search = callTools({ id: 's', call: ['tools_search', { query: 'money back order' }] })

/** The offer of each step, and the final result. */
async function turn(set: CribToolSet, ...steps: Parameters<typeof playModel>[0]) {
  const model = playModel(steps)
  const answer = await generateText({
    model,
    tools: set.tools,
    toolApproval: set.toolApproval,
    prepareStep: set.prepareStep,
    stopWhen: isStepCount(5),
    messages: [go],
  })
  const offered = model.doGenerateCalls.map(({ tools = [] }) => tools.map(({ name }) => name))
  return { offered, history: [go, ...answer.responseMessages] }
}

const meta = ['tools_call', 'tools_describe', 'tools_search']
const found = ['billing_chargeback', 'billing_refund']

test('tools that were found join the next step, and the next turn has them from its beginning', async () => {
  ran.length = 0
  const options = { agent: 'searcher', sessionId: 'joins' }
  const direct = callTools({ id: 'r', call: ['billing_refund', { order: 'A' }] })
  const set = await crib.toolSet(options)
  const { offered } = await turn(set, search, direct, sayText('ok'))
  expect(offered[0]).toEqual(meta)
  expect(offered[1]?.slice(0, 3)).toEqual(meta)
  expect(offered[1]).toEqual(expect.arrayContaining(found))
  expect(ran).toEqual(['billing.refund A'])
  const next = await crib.toolSet(options)
  expect(Object.keys(next.tools)).toEqual(expect.arrayContaining(found))
})

test('a call by name is made once, and waits for a person where its tool does', async () => {
  ran.length = 0
  const set = await crib.toolSet({ agent: 'searcher', sessionId: 'by name', approver: {} })
  const call = (id: string, name: string) =>
    callTools({ id, call: ['tools_call', { name, input: '{"order":"B"}' }] })
  await turn(set, call('one', 'billing.refund'), call('one', 'billing.refund'), sayText('ok'))
  const { history } = await turn(set, call('two', 'billing.chargeback'))
  expect(ran).toEqual(['billing.refund B'])
  const { items } = await crib.api.listApprovals(ownerOf(), { status: 'pending', limit: 5 })
  expect(items.map(({ tool, input }) => [tool, input])).toEqual([
    ['billing.chargeback', { order: 'B' }],
  ])
  const { waiting } = await set.resume(history)
  expect(waiting.map(({ approvalId }) => approvalId)).toEqual([items[0]?.id])
  await crib.api.decideApproval(ownerOf(), { id: items[0]?.id ?? '', decision: 'approve' })
  const { messages } = await set.resume(history)
  const end = await generateText({
    model: playModel([sayText('ok')]),
    tools: set.tools,
    toolApproval: set.toolApproval,
    messages,
  })
  expect(ran).toEqual(['billing.refund B', 'billing.chargeback B'])
  const told = end.responseMessages.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  expect(told).toEqual([
    {
      type: 'tool-result',
      toolCallId: 'two',
      toolName: 'tools_call',
      output: { type: 'json', value: { refunded: 'B' } },
    },
  ])
})

test('from another process, what a conversation has found is its own', async () => {
  const app = createHttpApp({ api: crib.api, version: '0', onFault: () => undefined })
  const fetch: typeof globalThis.fetch = async (input, init) => app.request(input, init)
  const key = await crib.api.createKey(ownerOf(), { name: 'far', scopes: ['tools.call'] })
  // A step is over long before what is offered stops to be fresh.
  const address = { url: 'http://crib.test', key: key.token, fetch, agent: 'searcher' }
  const remote = connectCrib(address)
  const set = await remote.toolSet({ sessionId: 'far' })
  const { offered } = await turn(set, search, sayText('ok'))
  expect(offered[0]).toEqual(meta)
  expect(offered[1]).toEqual(expect.arrayContaining(found))
  const other = await remote.toolSet({ sessionId: 'elsewhere' })
  expect(Object.keys(other.tools)).toEqual(meta)
  const open = await toOpenAI(remote.port())
  const call = { type: 'function_call', call_id: 'd', arguments: '{"order":"D"}' }
  const { items } = await open.run({ output: [{ ...call, name: 'billing_refund' } as never] })
  expect(items).toMatchObject([{ output: '{"refunded":"D"}' }])
  const odd = ['billing_zap', '', 'x'.repeat(500), 'a\nb'].map((name) => ({ ...call, name }))
  const { items: none } = await open.run({ output: odd })
  expect(none).toEqual(
    odd.map(() => expect.objectContaining({ output: expect.stringMatching(/^tool_not_found/) })),
  )
})

test('a crib that can not be asked for a moment ends no turn, and is asked again', async () => {
  const port = crib.port({ agent: 'searcher', sessionId: 'away' })
  let looks = 0
  const away: ToolPort = {
    ...port,
    offer: (options) => {
      looks += 1
      if (looks === 2 || looks === 3) throw new ToolError('server_unreachable', 'Away')
      return port.offer(options)
    },
  }
  const set = await createToolSet(away, { runId: 'away' })
  const { offered } = await turn(set, search, search, sayText('ok'))
  expect(offered.map((names) => names.includes('billing_refund'))).toEqual([false, false, true])
})

test('a search beside a faster call is over before it is looked what it found', async () => {
  const port = crib.port({ agent: 'searcher', sessionId: 'beside' })
  const asked: unknown[] = []
  const watched: ToolPort = {
    ...port,
    offer: (options) => {
      asked.push(options?.isAnew)
      return port.offer(options)
    },
    async call(request) {
      if (request.tool === 'tools.search') await new Promise((resolve) => setTimeout(resolve, 50))
      return port.call(request)
    },
  }
  const open = await toOpenAI(watched, { runId: 'beside' })
  const call = (name: string, input: object) =>
    ({ type: 'function_call', name, call_id: name, arguments: JSON.stringify(input) }) as never
  await open.run({
    output: [
      call('tools_search', { query: 'money back order', limit: null }),
      call('weather_station-1', {}),
    ],
  })
  expect(asked).toEqual([undefined, false, true])
})

test('a tool that a person has to be asked about since it was found is asked about', async () => {
  const port = crib.port({ agent: 'searcher', sessionId: 'stricter' })
  await port.call({ tool: 'tools.describe', input: { names: ['billing.chargeback'] } })
  let isStrict = false
  const changing: ToolPort = {
    ...port,
    async offer(options) {
      const offer = await port.offer(options)
      const tools = offer.tools.map((tool) =>
        tool.name === 'billing.chargeback' && !isStrict
          ? { ...tool, asks: false, mayAsk: false }
          : tool,
      )
      return { ...offer, tools }
    },
  }
  const set = await createToolSet(changing, { runId: 'stricter' })
  const toolCall = { toolName: 'billing_chargeback', toolCallId: 'c', input: { order: 'S' } }
  expect(await set.toolApproval({ toolCall })).toBeUndefined()
  isStrict = true
  await set.prepareStep()
  expect(await set.toolApproval({ toolCall })).toMatchObject({ type: 'user-approval' })
})

test('people are shown the tool that is called by name, never tools.call', async () => {
  const told: unknown[] = []
  const set = await crib.toolSet({
    agent: 'searcher',
    sessionId: 'inner',
    onCall: ({ tool }) => told.push(tool),
  })
  const input = { name: 'billing.chargeback', input: '{"order":"E"}' }
  const toolCall = { toolName: 'tools_call', toolCallId: 'inner', input }
  expect(await set.toolApproval({ toolCall })).toEqual({
    type: 'user-approval',
    reason: expect.stringMatching(/^billing\.chargeback \(write\) waits for approval appr_/),
  })
  const { history } = await turn(set, callTools({ id: 'inner', call: ['tools_call', input] }))
  const { waiting } = await set.resume(history)
  expect(waiting).toMatchObject([{ tool: 'billing_chargeback' }])
  expect(JSON.stringify(history)).not.toContain('"effect":"read"')
  await turn(set, callTools(['tools_call', { ...input, name: 'billing.refund' }]), sayText('ok'))
  const wired = { ...input, name: 'billing_refund' }
  await turn(set, callTools({ id: 'wired', call: ['tools_call', wired] }), sayText('ok'))
  expect(told).toEqual(['billing.refund', 'billing.refund'])
})

test('a call by name is the same under either name of its tool, and no other input is', async () => {
  const set = await crib.toolSet({ agent: 'searcher', sessionId: 'either' })
  const input = { name: 'billing_chargeback', input: '{"order":"E"}' }
  const { history } = await turn(set, callTools({ id: 'e', call: ['tools_call', input] }))
  expect((await set.resume(history)).waiting).toHaveLength(1)
  const other = JSON.parse(
    JSON.stringify(history).replaceAll('\\"E\\"', '\\"O\\"'),
  ) as typeof history
  const { messages, waiting } = await set.resume(other)
  expect(waiting).toEqual([])
  expect(JSON.stringify(messages)).toContain('idempotency_mismatch')
})

test('the model is also informed that a person changed the input of a call by name', async () => {
  const port = crib.port({ agent: 'searcher', sessionId: 'changed' })
  const { run } = await toOpenAI(port, { runId: 'changed' })
  const input = { name: 'billing.chargeback', input: '{"order":"F"}' }
  const item = { type: 'function_call', name: 'tools_call', call_id: 'f' }
  const output = [{ ...item, arguments: JSON.stringify(input) }]
  const [asked] = (await run({ output })).waiting
  const changed = { decision: 'approve', input: { order: 'G' } } as const
  await crib.api.decideApproval(ownerOf(), { id: asked?.approvalId ?? '', ...changed })
  expect((await run({ output })).items).toMatchObject([
    { output: expect.stringContaining('It ran with: {"order":"G"}') },
  ])
})

test('input of tools_call that is not JSON is an error, not a denial', async () => {
  const set = await crib.toolSet({ agent: 'searcher', sessionId: 'broken' })
  const call = callTools(['tools_call', { name: 'billing.refund', input: '{broken' }])
  const { history } = await turn(set, call, sayText('ok'))
  expect(JSON.stringify(history)).toContain('"type":"error-text"')
  expect(JSON.stringify(history)).toContain('/input must be JSON text')
})

test('no more tools are strict for Anthropic than one grammar takes', async () => {
  const strictOf = async (provider: 'anthropic' | 'openai') => {
    const { tools } = await crib.toolSet({ provider, strict: true })
    return Object.values(tools).filter(({ strict }) => strict === true).length
  }
  expect(await strictOf('openai')).toBeGreaterThan(30)
  expect(await strictOf('anthropic')).toBe(20)
})

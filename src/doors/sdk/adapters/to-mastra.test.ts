import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Crib } from '../../../app/crib.ts'
import { ownerOf } from '../../../app/owner.ts'
import { createTestCrib } from '../../../testing/create-test-crib.ts'
import { callTools, playModel, sayText } from '../testing/play-model.ts'
import { toMastra } from './to-mastra.ts'
import { ran, workshop } from './workshop.fixture.ts'

let crib: Crib
beforeAll(async () => void (crib = await createTestCrib(workshop)))
afterAll(() => crib.close())
beforeEach(() => void (ran.length = 0))

const owner = ownerOf()
const anna = { approver: { user: 'anna' } }
const publish = callTools({ id: 'p', call: ['page_publish', { page: 'x' }] })

/** An agent of Mastra in one conversation, and the last messages to its model. */
async function converse(
  runId: string,
  steps: Parameters<typeof playModel>[0],
  as: Parameters<Crib['port']>[0] = {},
) {
  const port = crib.port({ sessionId: runId, ...as })
  const { tools, prepareStep } = await toMastra(port, { createTool, runId })
  const model = playModel(steps)
  const made = new Agent({ id: 'a', name: 'A', instructions: 'x', model: model as never, tools })
  const mastra = new Mastra({ agents: { made }, storage: new InMemoryStore(), logger: false })
  const agent = mastra.getAgent('made')
  const told = () =>
    (model.doGenerateCalls.at(-1) ?? model.doStreamCalls.at(-1))?.prompt
      .flatMap(({ role, content }) => (role === 'tool' ? content : []))
      .flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
  const start = () => agent.generate('go', { prepareStep })
  return { agent, told, start, model }
}

async function pending(sessionId: string) {
  const { items } = await crib.api.listApprovals(owner, { status: 'pending', limit: 20 })
  const { items: calls } = await crib.api.listCalls(owner, { sessionId, limit: 20 })
  return items.filter(({ callId }) => calls.some((call) => call.callId === callId))
}

test('a call that asks is stored first, and the run is suspended with its approval', async () => {
  const { start, agent, told } = await converse('stored', [publish, sayText('ok')], anna)
  const stopped = await start()
  const [row] = await pending('stored')
  expect(stopped.finishReason).toBe('suspended')
  expect(JSON.stringify(stopped.suspendPayload)).toContain(row?.id)
  const { runId = '' } = stopped
  const ended = await agent.approveToolCallGenerate({ runId, toolCallId: 'p' })
  expect([ended.text, told()]).toEqual(['ok', [{ type: 'json', value: { published: 'x' } }]])
  expect(ran).toEqual(['page.publish x'])
})

test('a no in Mastra is a decision of the crib', async () => {
  const { start, agent, told } = await converse('refused', [publish, sayText('ok')], anna)
  const { runId = '' } = await start()
  await agent.declineToolCallGenerate({ runId, toolCallId: 'p', reason: 'too early' })
  expect(JSON.stringify(told())).toContain('too early')
  expect([ran, await pending('refused')]).toEqual([[], []])
})

test('without an approver an approval releases nothing; decided elsewhere, the run continues', async () => {
  const { start, agent, told } = await converse('elsewhere', [publish, sayText('ok')])
  const { runId = '' } = await start()
  const again = await agent.approveToolCallGenerate({ runId, toolCallId: 'p' })
  expect([again.finishReason, ran]).toEqual(['suspended', []])
  const [row] = await pending('elsewhere')
  await crib.api.decideApproval(owner, { id: row?.id ?? '', decision: 'approve' })
  await agent.resumeGenerate({}, { runId, toolCallId: 'p' })
  expect(told()).toEqual([{ type: 'json', value: { published: 'x' } }])
})

test("a model does not approve its own call, not even after a person's rejection", async () => {
  const sly = callTools({
    id: 's',
    call: ['page_publish', { page: 'x', resumeData: { approved: true } }],
  })
  const { start, told } = await converse('sly', [sly, sayText('ok')], anna)
  const { finishReason } = await start()
  expect([finishReason, ran, await pending('sly')]).toEqual(['stop', [], []])
  expect(JSON.stringify(told())).toContain('approval_required')
})

test('two that ask in one step are asked one after the other', async () => {
  const both = callTools(
    { id: 'p', call: ['page_publish', { page: 'x' }] },
    { id: 'q', call: ['page_publish', { page: 'y' }] },
  )
  const { start, agent, told } = await converse('both', [both, sayText('ok')], anna)
  const { runId = '' } = await start()
  const next = await agent.approveToolCallGenerate({ runId, toolCallId: 'p' })
  expect([next.finishReason, ran]).toEqual(['suspended', ['page.publish x']])
  await agent.declineToolCallGenerate({ runId, toolCallId: 'q' })
  expect(ran).toEqual(['page.publish x'])
  expect(told()?.[0]).toEqual({ type: 'json', value: { published: 'x' } })
})

test('a found tool joins the next step, and through tools_call the tool itself is asked about', async () => {
  const { start, agent, model } = await converse(
    'search',
    [
      callTools({ id: 'a', call: ['tools_search', { query: 'publish a page', limit: null }] }),
      callTools({ id: 'b', call: ['tools_call', { name: 'page.publish', input: '{"page":"x"}' }] }),
      sayText('ok'),
    ],
    { agent: 'searcher', ...anna },
  )
  const stopped = await start()
  const offered = model.doGenerateCalls.map(({ tools = [] }) => tools.map(({ name }) => name))
  expect(offered[0]).not.toContain('page_publish')
  expect(offered[1]).toContain('page_publish')
  expect(JSON.stringify(stopped.suspendPayload)).toContain('"tool":"page.publish"')
  await agent.approveToolCallGenerate({ runId: stopped.runId ?? '', toolCallId: 'b' })
  expect(ran).toEqual(['page.publish x'])
})

test('a person is asked about the tool itself, whichever of its names tools_call was given', async () => {
  const input = '{"page":"x"}'
  const { start } = await converse(
    'wired',
    [callTools({ id: 'a', call: ['tools_call', { name: 'page_publish', input }] }), sayText('ok')],
    { agent: 'searcher', ...anna },
  )
  const { suspendPayload } = await start()
  expect(JSON.stringify(suspendPayload)).toContain('"tool":"page.publish","input":{"page":"x"}')
})

test('pictures are pictures, and a cut output has a note', async () => {
  const look = callTools(
    { id: 'a', call: ['chart_draw', {}] },
    { id: 'b', call: ['log_read', {}] },
    { id: 'c', call: ['note_fail', {}] },
  )
  const { start, told } = await converse('looks', [look, sayText('ok')])
  await start()
  const [picture, log, failure] = told() ?? []
  expect(JSON.stringify(picture)).toMatch(/"mediaType":"image\/png"/)
  expect(JSON.stringify(picture)).not.toContain('$content')
  expect(JSON.stringify(log)).toContain('The output was cut')
  expect(JSON.stringify(log)).not.toContain('$call')
  expect(JSON.stringify(failure)).toContain('The book is full')
  expect(JSON.stringify(failure)).not.toContain('node_modules')
})

test('the run is suspended also for a tool that was not known to ask when it was listed', async () => {
  const port = crib.port({ sessionId: 'stale', ...anna })
  const { tools: known, ...rest } = await port.offer()
  const offered = known.map((one) => ({ ...one, asks: false, mayAsk: false }))
  const stale = { ...port, offer: () => ({ ...rest, tools: offered }) }
  const { tools } = await toMastra(stale, { createTool, runId: 'stale' })
  const model = playModel([publish, sayText('ok')])
  const made = new Agent({ id: 'a', name: 'A', instructions: 'x', model: model as never, tools })
  const mastra = new Mastra({ agents: { made }, storage: new InMemoryStore(), logger: false })
  const agent = mastra.getAgent('made')
  const { runId = '', finishReason } = await agent.generate('go')
  expect(finishReason).toBe('suspended')
  await agent.approveToolCallGenerate({ runId, toolCallId: 'p' })
  expect(ran).toEqual(['page.publish x'])
})

/** A Chat Completions server whose model draws once. Returns the messages it got about that. */
async function playChat() {
  let told: unknown
  const answer = async (request: IncomingMessage) => {
    const { messages } = (await json(request)) as { messages: { role: string; content: unknown }[] }
    const result = messages.find(({ role }) => role === 'tool')
    told = result?.content
    const call = { id: 'c', type: 'function', function: { name: 'chart_draw', arguments: '{}' } }
    const message = result ? { content: 'ok' } : { content: null, tool_calls: [call] }
    const choices = [{ index: 0, message: { role: 'assistant', ...message } }]
    return JSON.stringify({ id: 'x', created: 1, model: 'm', choices })
  }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    void answer(request).then((text) => response.end(text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { url, told: () => told, close: () => server.close() }
}

test.each([
  ['is named where the model reads words alone', {}, /it can't be shown here/],
  [
    'is one where the model takes parts',
    { supportsMultiPartToolContent: true },
    /"type":"image_url".*data:image\/png;base64,aGk=/,
  ],
])('of Chat Completions, a picture %s', async (_, settings, expected) => {
  const chat = await playChat()
  const provider = createOpenAICompatible({ name: 'local', baseURL: chat.url, ...settings })
  const model = provider.chatModel('m')
  const { tools } = await toMastra(crib.port(), { createTool, model })
  await new Agent({ id: 'a', name: 'A', instructions: 'x', model: model as never, tools }).generate(
    'go',
  )
  chat.close()
  expect(JSON.stringify(chat.told())).toMatch(expected)
})

test("a model that is named as Mastra's router has it is shown what it can be", async () => {
  const chat = await playChat()
  const model = { id: 'local/m' as const, url: chat.url, apiKey: 'none' }
  const { tools } = await toMastra(crib.port(), { createTool, model })
  await new Agent({ id: 'a', name: 'A', instructions: 'x', model, tools }).generate('go')
  chat.close()
  expect(JSON.stringify(chat.told())).toMatch(/it can't be shown here/)
  expect(JSON.stringify(chat.told())).not.toContain('aGk=')
})

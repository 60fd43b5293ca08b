import { AIMessage, ToolMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { tool } from '@langchain/core/tools'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Crib } from '../../../app/crib.ts'
import { ownerOf } from '../../../app/owner.ts'
import { isDeepEqual } from '../../../core/kernel/json/deep-equal.ts'
import { createTestCrib } from '../../../testing/create-test-crib.ts'
import { ran, workshop } from './workshop.fixture.ts'
import { toLangChain } from './to-langchain.ts'

/** Not imported by its name: its types change those of zod for the whole project. */
const langchain: string = 'langchain'
const { createAgent, createMiddleware } = (await import(langchain)) as {
  createAgent(options: object): Graph
  createMiddleware(options: object): object
}

let crib: Crib
beforeAll(async () => void (crib = await createTestCrib(workshop)))
afterAll(() => crib.close())
beforeEach(() => void (ran.length = 0))

type Call = { id: string; name: string; args: Record<string, unknown> }

/** A model that makes these calls, one list a step, and then reports that it is done. */
function playing(steps: Call[][]) {
  const model = steps.reduce((made, calls) => made.respondWithTools(calls), fakeModel())
  return model.respond(new AIMessage('done'))
}

const anna = { approver: { user: 'anna' } }

async function open(runId: string, as: Parameters<Crib['port']>[0] = {}) {
  const port = crib.port({ sessionId: runId, ...as })
  return toLangChain(port, { tool, interrupt, runId })
}

/** An agent of LangChain in one conversation. */
async function converse(runId: string, steps: Call[][], as?: Parameters<Crib['port']>[0]) {
  const { tools, middleware } = await open(runId, as)
  const agent = createAgent({
    model: playing(steps),
    tools,
    middleware: [createMiddleware(middleware)],
    checkpointer: new MemorySaver(),
  })
  return follow(agent, runId)
}

interface Graph {
  invoke(input: unknown, config: object): Promise<{ messages: unknown[] }>
}

/** The interrupt it stopped with, or the messages its model got. */
function follow(agent: Graph, runId: string) {
  const go = async (input: unknown) => {
    const state = await agent.invoke(input, { configurable: { thread_id: runId } })
    const stopped = (Object.entries(state).find(([key]) => key === '__interrupt__')?.[1] ?? []) as {
      value: { approvalId: string; tool: string }
    }[]
    const told = state.messages.filter((message) => ToolMessage.isInstance(message))
    return { stopped: stopped.map(({ value }) => value), told }
  }
  return {
    start: () => go({ messages: [{ role: 'user', content: 'go' }] }),
    resume: (value: unknown) => go(new Command({ resume: value })),
  }
}

test('input that is valid elsewhere is valid here, and other input gets our own error', async () => {
  const { start } = await converse('input', [
    [
      { id: 'a', name: 'note_add', args: { text: 'a', tag: null } },
      { id: 'b', name: 'note_add', args: { text: 'b', color: 'red' } },
      { id: 'c', name: 'note_add', args: { color: null } },
    ],
  ])
  const { told } = await start()
  expect(ran).toEqual(['note.add a', 'note.add b'])
  expect(told.map(({ status }) => status)).toEqual(['success', 'success', 'error'])
  expect(told[2]?.text).toMatch(/^invalid_input: .*note_add\n\/text/)
  expect(told[2]?.text).not.toMatch(/node_modules|\bat /)
})

test('a failure and a refusal have the status of an error', async () => {
  const { start, resume } = await converse(
    'errors',
    [
      [
        { id: 'a', name: 'note_fail', args: {} },
        { id: 'b', name: 'page_publish', args: { page: 'x' } },
      ],
    ],
    anna,
  )
  await start()
  const { told } = await resume({ approved: false, reason: 'too early' })
  expect(told.map(({ status, text }) => [status, /conflict|too early/.exec(text)?.[0]])).toEqual([
    ['error', 'conflict'],
    ['error', 'too early'],
  ])
})

test('a tool that is invoked by hand gives its output', async () => {
  const { tools } = await open('by hand')
  const add = tools.find(({ name }) => name === 'note_add')
  expect(await add?.invoke({ text: 'a' })).toBe('{"written":"a"}')
  expect(await add?.invoke({ tag: 'b' })).toMatch(/^invalid_input/)
})

test('a picture is one', async () => {
  const { start } = await converse('pictures', [[{ id: 'a', name: 'chart_draw', args: {} }]])
  const { told } = await start()
  expect(told[0]?.contentBlocks).toEqual([
    { type: 'text', text: 'Sales' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  ])
})

test('while nobody has decided it stops again, whichever value resumes it', async () => {
  const publish = { id: 'a', name: 'page_publish', args: { page: 'x' } }
  const { start, resume } = await converse('undecided', [[publish]])
  const first = await start()
  expect((await resume({})).stopped).toEqual(first.stopped)
  expect((await resume({ approved: true })).stopped).toEqual(first.stopped)
  const [{ approvalId } = { approvalId: '' }] = first.stopped
  await crib.api.decideApproval(ownerOf(), { id: approvalId, decision: 'approve' })
  expect((await resume({})).told.map(({ text }) => text)).toEqual(['{"published":"x"}'])
  expect(ran).toEqual(['page.publish x'])
})

test('of two that wait in one place, an answer counts for the one it names', async () => {
  const { tools } = await open('one place', anna)
  const publish = (id: string) => ({ id, name: 'page_publish', args: { page: id } })
  const agent = createReactAgent({
    llm: playing([[publish('x'), publish('y')]]),
    tools,
    checkpointer: new MemorySaver(),
  })
  const { start, resume } = follow(agent as never, 'one place')
  await start()
  await resume({ approved: true })
  expect(ran).toEqual([])
  const { items } = await crib.api.listApprovals(ownerOf(), { status: 'pending', limit: 9 })
  for (const { id } of items) await resume({ approvalId: id, approved: true })
  const { items: left } = await crib.api.listApprovals(ownerOf(), { status: 'pending', limit: 9 })
  for (const { id } of left) await resume({ approvalId: id, approved: true })
  expect(ran.toSorted()).toEqual(['page.publish x', 'page.publish y'])
})

test('a call that a node makes by hand is the one that was asked about, when it runs again', async () => {
  const { tools } = await open('node')
  const publish = tools.find(({ name }) => name === 'page_publish')
  const state = Annotation.Root({ said: Annotation<string> })
  const graph = new StateGraph(state)
    .addNode('publish', async (_state, config) => ({
      said: String(await publish?.invoke({ page: 'x' }, config)),
    }))
    .addEdge(START, 'publish')
    .addEdge('publish', END)
    .compile({ checkpointer: new MemorySaver() })
  const thread = { configurable: { thread_id: 'node' } }
  await graph.invoke({ said: '' }, thread)
  const asked = async () => {
    const { items } = await crib.api.listApprovals(ownerOf(), { limit: 50 })
    return items.filter(({ sessionId }) => sessionId === 'node')
  }
  const [approval] = await asked()
  await crib.api.decideApproval(ownerOf(), { id: approval?.id ?? '', decision: 'approve' })
  const { said } = await graph.invoke(new Command({ resume: {} }), thread)
  expect([said, ran, (await asked()).length]).toEqual(['{"published":"x"}', ['page.publish x'], 1])
  await graph.invoke({ said: '' }, thread)
  expect(await asked()).toHaveLength(2)
})

test('an answer that another call of its place was given reaches the one it names', async () => {
  const answers: unknown[] = []
  const given = () => {
    if (answers.length === 0) throw new Error('stopped')
    return answers.shift()
  }
  const port = crib.port({ sessionId: 'passed on', ...anna })
  const { tools } = await toLangChain(port, { tool, interrupt: given, runId: 'passed on' })
  const publish = tools.find(({ name }) => name === 'page_publish')
  const both = () =>
    Promise.allSettled(
      ['x', 'y'].map(async (id) =>
        publish?.invoke(
          { type: 'tool_call', id, name: 'page_publish', args: { page: id } },
          { configurable: { checkpoint_ns: 'tools' } },
        ),
      ),
    )
  await both()
  const { items } = await crib.api.listApprovals(ownerOf(), { status: 'pending', limit: 9 })
  const idOf = (page: string) =>
    items.find((one) => isDeepEqual(one.input, { page }) && one.sessionId === 'passed on')?.id
  answers.push(...['y', 'x'].map((page) => ({ approvalId: idOf(page), approved: true })))
  await both()
  expect(ran.toSorted()).toEqual(['page.publish x', 'page.publish y'])
})

test('beside a call of what never asks, an answer needs no name, through tools_call too', async () => {
  const { tools } = await open('beside', { agent: 'searcher', ...anna })
  const named = (id: string, name: string, input: object) => ({
    id,
    name: 'tools_call',
    args: { name, input: JSON.stringify(input) },
  })
  const steps = [[named('a', 'chart.draw', {}), named('b', 'page.publish', { page: 'x' })]]
  const agent = createReactAgent({
    llm: playing(steps),
    tools,
    checkpointer: new MemorySaver(),
  })
  const { start, resume } = follow(agent as never, 'beside')
  expect((await start()).stopped).toHaveLength(1)
  expect((await resume({ approved: true })).stopped).toEqual([])
  expect(ran).toEqual(['page.publish x'])
})

test('a found tool joins the next step, and the person is asked about the tool itself', async () => {
  const { start, resume } = await converse(
    'search',
    [
      [{ id: 'a', name: 'tools_search', args: { query: 'publish a page', limit: null } }],
      [{ id: 'b', name: 'page_publish', args: { page: 'direct' } }],
      [{ id: 'c', name: 'tools_call', args: { name: 'page.publish', input: '{"page":"named"}' } }],
    ],
    { agent: 'searcher', ...anna },
  )
  expect((await start()).stopped).toMatchObject([
    { tool: 'page.publish', input: { page: 'direct' } },
  ])
  expect((await resume({ approved: true })).stopped).toMatchObject([
    { tool: 'page.publish', input: { page: 'named' } },
  ])
  await resume({ approved: true })
  expect(ran).toEqual(['page.publish direct', 'page.publish named'])
})

test('a person is asked about the tool itself, whichever of its names tools_call was given', async () => {
  const input = '{"page":"x"}'
  const { start } = await converse(
    'wired',
    [[{ id: 'a', name: 'tools_call', args: { name: 'page_publish', input } }]],
    { agent: 'searcher', ...anna },
  )
  expect((await start()).stopped).toMatchObject([{ tool: 'page.publish', input: { page: 'x' } }])
})

test('the graph stops also for a tool that was not known to ask when it was listed', async () => {
  const port = crib.port({ sessionId: 'stale', ...anna })
  const { tools: known, ...rest } = await port.offer()
  const offered = known.map((one) => ({ ...one, asks: false, mayAsk: false }))
  const stale = { ...port, offer: () => ({ ...rest, tools: offered }) }
  const { tools } = await toLangChain(stale, { tool, interrupt, runId: 'stale' })
  const model = playing([[{ id: 'a', name: 'page_publish', args: { page: 'x' } }]])
  const agent = createAgent({ model, tools, checkpointer: new MemorySaver() })
  const { start, resume } = follow(agent, 'stale')
  expect((await start()).stopped).toMatchObject([{ tool: 'page.publish' }])
  expect((await resume({ approved: true })).told.map(({ text }) => text)).toEqual([
    '{"published":"x"}',
  ])
  expect(ran).toEqual(['page.publish x'])
})

import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Crib } from '../../../app/crib.ts'
import { ownerOf } from '../../../app/owner.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { ToolPort } from '../../../core/offer/tool-port.ts'
import { createTestCrib } from '../../../testing/create-test-crib.ts'
import { toAnthropic } from './to-anthropic.ts'
import { toOpenAIAgents } from './to-openai-agents.ts'
import { toOpenAI, toOpenAIChat } from './to-openai.ts'
import { ran, workshop } from './workshop.fixture.ts'

let crib: Crib
beforeAll(async () => void (crib = await createTestCrib(workshop)))
afterAll(() => crib.close())
beforeEach(() => void (ran.length = 0))

interface Asked {
  input: { type: string; output?: unknown }[]
  tools: { name: string }[]
}

/** The package's client, with a model that makes these calls one after the other; and what it was asked. */
function playing(...calls: [name: string, input: object][]) {
  const asked: Asked[] = []
  const fetch = async (_: unknown, init?: { body?: unknown }) => {
    asked.push(JSON.parse(String(init?.body)) as Asked)
    const [name, input] = calls[asked.length - 1] ?? []
    const id = `x${asked.length}`
    const said = {
      type: 'message',
      id,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'done', annotations: [] }],
    }
    const called = { type: 'function_call', id, call_id: id, name, status: 'completed' }
    const output = [name === undefined ? said : { ...called, arguments: JSON.stringify(input) }]
    return Response.json({ id, object: 'response', status: 'completed', output, usage: {} })
  }
  return { asked, client: new OpenAI({ apiKey: 'none', fetch }) }
}

const search: [string, object] = ['tools_search', { query: 'write a note', limit: null }]
const picture = { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' }

test('pictures go into the outputs of function calls', async () => {
  const { client, asked } = playing(['chart_draw', {}])
  const { tools, run } = await toOpenAI(crib.port())
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'go' }]
  for (;;) {
    const response = await client.responses.create({ model: 'played', input, tools })
    const { items } = await run(response)
    if (items.length === 0) break
    input.push(...(response.output as OpenAI.Responses.ResponseInput), ...items)
  }
  const told = asked[1]?.input.find(({ type }) => type === 'function_call_output')
  expect(told?.output).toEqual([{ type: 'input_text', text: 'Sales' }, picture])
})

test('where results are words alone, a picture is named', async () => {
  const { run } = await toOpenAIChat(crib.port())
  const call = { id: 'a', type: 'function', function: { name: 'chart_draw', arguments: '{}' } }
  const { items } = await run({ tool_calls: [call] })
  expect(items[0]?.content).toBe("Sales\n[image, image/png: it can't be shown here]")
})

test('an agent of the OpenAI Agents SDK gets pictures', async () => {
  const { client, asked } = playing(['chart_draw', {}])
  const { tools } = await toOpenAIAgents(crib.port(), { tool })
  await runAgent(client, tools)
  const told = asked[1]?.input.find(({ type }) => type === 'function_call_output')
  expect(JSON.stringify(told)).toContain('"image_url":"data:image/png;base64,aGk="')
})

test('an agent of the OpenAI Agents SDK calls what it has found by name', async () => {
  const { client, asked } = playing(search, ['note_add', { text: 'a' }])
  const port = crib.port({ agent: 'searcher', sessionId: 'agents' })
  const { tools } = await toOpenAIAgents(port, { tool })
  expect(await runAgent(client, tools)).toBe('done')
  expect(ran).toEqual(['note.add a'])
  const lists = asked.map((one) => one.tools.map(({ name }) => name))
  expect([lists[0]?.includes('note_add'), lists[1]?.includes('note_add')]).toEqual([false, true])
})

test('found tools join the lists for the next request', async () => {
  const port = crib.port({ agent: 'searcher', sessionId: 'lists' })
  const { tools, run } = await toOpenAI(port)
  const claude = await toAnthropic(crib.port({ agent: 'searcher', sessionId: 'claude' }))
  const before = tools.map(({ name }) => name)
  const [name, input] = search
  await run({
    output: [{ type: 'function_call', name, call_id: 'a', arguments: JSON.stringify(input) }],
  } as never)
  await claude.run({ content: [{ type: 'tool_use', id: 'a', name, input }] } as never)
  const names = tools.map((one) => one.name)
  expect(names.slice(0, before.length)).toEqual(before)
  expect([names.includes('note_add'), before.includes('note_add')]).toEqual([true, false])
  expect(claude.tools.map((one) => one.name)).toEqual(names)
})

test('a finished call is not reported as failed because it could not be read', async () => {
  const port: ToolPort = {
    ...crib.port({ sessionId: 'unseen' }),
    findCall: () => Promise.reject(new ToolError('server_unreachable', 'Away')),
  }
  const { run } = await toOpenAI(port, { runId: 'unseen' })
  const said = async (name: string, input: object) => {
    const item = { type: 'function_call', name, call_id: name, arguments: JSON.stringify(input) }
    return run({ output: [item] })
  }
  const { items: long } = await said('page_print', {})
  expect(long).toMatchObject([{ output: expect.stringMatching(/^Not finished yet: call_/) }])
  const [asked] = (await said('page_publish', { page: 'x' })).waiting
  await crib.api.decideApproval(ownerOf(), { id: asked?.approvalId ?? '', decision: 'approve' })
  await crib.api.findCall(ownerOf(), { id: asked?.callId ?? '', wait: 5 })
  const { items } = await said('page_publish', { page: 'x' })
  expect(items).toMatchObject([{ output: '{"published":"x"}' }])
})

test('no more tools are strict for Anthropic than one grammar takes', async () => {
  const { tools } = await toAnthropic(crib.port(), { strict: true })
  const strict = tools.filter((one) => one.strict === true)
  expect(strict.length).toBeGreaterThan(0)
  expect(strict.length).toBeLessThanOrEqual(20)
})

async function runAgent(openAIClient: OpenAI, tools: ReturnType<typeof tool>[]) {
  const agent = new Agent({ name: 'A', instructions: 'x', model: 'played', tools })
  const modelProvider = new OpenAIProvider({
    openAIClient: openAIClient as never,
    useResponses: true,
  })
  const result = await new Runner({ modelProvider, tracingDisabled: true }).run(agent, 'go')
  return result.finalOutput
}

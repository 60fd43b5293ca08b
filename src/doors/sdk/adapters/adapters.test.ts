import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../../../app/crib.ts'
import { contentOutput } from '../../../core/kernel/content.ts'
import { defineTool } from '../../../core/define-tool.ts'
import { createTestCrib } from '../../../testing/create-test-crib.ts'
import { toAnthropic } from './to-anthropic.ts'
import { toMastra } from './to-mastra.ts'
import { toOpenAIAgents } from './to-openai-agents.ts'
import { toOpenAI, toOpenAIChat } from './to-openai.ts'

const ran: string[] = []
let crib: Crib
beforeAll(async () => {
  const write = (name: string) =>
    defineTool({
      name,
      description: 'Writes a note.',
      effect: 'write',
      inputSchema: z.object({ text: z.string(), tag: z.string().optional() }),
      execute: ({ text }) => {
        ran.push(`${name}: ${text}`)
        return { written: text }
      },
    })
  const draw = defineTool({
    name: 'chart.draw',
    description: 'Draws a chart.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => contentOutput([{ type: 'image', data: 'aGk=', mimeType: 'image/png' }]),
  })
  const publish = defineTool({
    name: 'page.publish',
    description: 'Publishes a page.',
    effect: 'write',
    approval: 'always',
    inputSchema: z.object({}),
    execute: () => void ran.push('published'),
  })
  const tools = [write('note.add_to'), write('note_add.to'), draw, publish]
  crib = await createTestCrib({ tools })
})
afterAll(() => crib.close())
beforeEach(() => void (ran.length = 0))

/** A function call as the Responses API words it. */
const call = (name: string, input: unknown, id = 'c1') => ({
  type: 'function_call',
  name,
  call_id: id,
  arguments: typeof input === 'string' ? input : JSON.stringify(input),
})

test('names that meet on the wire are two tools, and each call reaches its own', async () => {
  const { tools, run } = await toOpenAI(crib.port())
  const names = tools.map(({ name }) => name).filter((name) => name.startsWith('note_add_to'))
  expect(new Set(names).size).toBe(2)
  const output = names.map((name, index) => call(name, { text: String(index) }, `c${index}`))
  const { items } = await run({ output })
  expect(items.map((item) => item.output)).toEqual(['{"written":"0"}', '{"written":"1"}'])
  expect(ran.toSorted()).toEqual(['note.add_to: 0', 'note_add.to: 1'])
})

test('broken JSON, an unknown tool and invalid input are reported, and nothing runs', async () => {
  const { tools, run } = await toOpenAI(crib.port())
  const name = tools.find((tool) => tool.name.startsWith('note'))?.name ?? ''
  const { items } = await run({
    output: [call(name, '{"text":', 'a'), call('no_such', {}, 'b'), call(name, { text: 1 }, 'c')],
  })
  expect(items.map(({ output }) => /^\w+/.exec(output as string)?.[0])).toEqual([
    'invalid_input',
    'tool_not_found',
    'invalid_input',
  ])
  expect(ran).toEqual([])
})

test('the same answer run twice, and fifty calls at once, make each call once', async () => {
  const { tools, run } = await toOpenAIChat(crib.port(), { runId: 'fifty' })
  const name = tools.find((tool) => tool.function.name.startsWith('note'))?.function.name ?? ''
  const tool_calls = Array.from({ length: 50 }, (_, index) => ({
    id: `c${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify({ text: `t${index}`, tag: null }) },
  }))
  const [first, second] = await Promise.all([run({ tool_calls }), run({ tool_calls })])
  expect(second).toEqual(first)
  expect(first.items.map(({ content }) => content)).toEqual(
    tool_calls.map((_, index) => `{"written":"t${index}"}`),
  )
  expect(new Set(ran).size).toBe(50)
  expect(ran.length).toBe(50)
})

test('strict schemas are written for OpenAI, pictures and the cache mark for Anthropic', async () => {
  const { tools } = await toOpenAI(crib.port())
  const note = tools.find(({ name }) => name.startsWith('note'))
  expect([note?.strict, note?.parameters['required']]).toEqual([true, ['text', 'tag']])
  const claude = await toAnthropic(crib.port(), { cacheControl: true })
  const marked = claude.tools.flatMap((tool) => (tool.cache_control ? [tool.name] : []))
  expect(marked).toEqual([claude.tools.at(-1)?.name])
  const content = [{ type: 'tool_use', id: 'u1', name: 'chart_draw', input: {} }]
  expect(await claude.run({ content })).toEqual({
    waiting: [],
    items: [
      {
        type: 'tool_result',
        tool_use_id: 'u1',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        ],
      },
    ],
  })
})

test('running a tool by hand approves nothing, whichever answerer is named', async () => {
  const port = crib.port({ approver: { user: 'anna' } })
  type Made = { id?: string; name?: string; execute(input: object, context?: object): unknown }
  const keep = (definition: Made): Made => definition
  const agents = await toOpenAIAgents(port, { tool: keep })
  const mastra = await toMastra(port, { createTool: keep })
  const publish = agents.tools.find(({ name }) => name === 'page_publish')
  expect(await publish?.execute({})).toMatch(/^Not run yet: a person has to approve it first/)
  expect(await mastra.tools['page_publish']?.execute({})).toMatchObject({
    $call: { status: 'pending' },
  })
  expect(ran).toEqual([])
})

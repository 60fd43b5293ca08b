import type Anthropic from '@anthropic-ai/sdk'
import { tool as langChainTool } from '@langchain/core/tools'
import { createTool } from '@mastra/core/tools'
import { RunContext, tool as agentsTool } from '@openai/agents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineTool, z } from '../src/app/index.ts'
import { toAnthropic } from '../src/doors/sdk/adapters/to-anthropic.ts'
import { toLangChain } from '../src/doors/sdk/adapters/to-langchain.ts'
import { toMastra } from '../src/doors/sdk/adapters/to-mastra.ts'
import { toOpenAIAgents } from '../src/doors/sdk/adapters/to-openai-agents.ts'
import { toOpenAI } from '../src/doors/sdk/adapters/to-openai.ts'
import { connectCrib } from '../src/doors/sdk/connect-crib.ts'
import type { JsonValue } from '../src/core/kernel/json.ts'
import { runLine } from '../src/doors/cli/testing/run-line.ts'
import { type KeyInHand, type McpCrib, openMcpCrib } from './mcp/mcp-crib.ts'

interface OutputType {
  name: string
  schema: z.ZodType
  value: JsonValue
  /** As the command line shows the value, and the schema. */
  shown: string
  type: string
  /** What the demo model says of it. */
  said: string
}

const row = z.object({ id: z.string(), n: z.number() })
const kinds = z.discriminatedUnion('k', [
  z.object({ k: z.literal('a'), x: z.number() }),
  z.object({ k: z.literal('b'), y: z.string() }),
])
const types: OutputType[] = [
  {
    name: 'text',
    schema: z.string(),
    value: 'a word',
    shown: 'a word',
    type: 'string',
    said: 'returned: a word',
  },
  { name: 'empty', schema: z.string(), value: '', shown: '', type: 'string', said: 'finished.' },
  { name: 'number', schema: z.number(), value: 4, shown: '4', type: 'number', said: 'returned 4.' },
  {
    name: 'flag',
    schema: z.boolean(),
    value: false,
    shown: 'false',
    type: 'boolean',
    said: 'returned false.',
  },
  { name: 'none', schema: z.null(), value: null, shown: 'null', type: 'null', said: 'finished.' },
  {
    name: 'list',
    schema: z.array(z.string()),
    value: ['a', 'b'],
    shown: '- a\n- b',
    type: 'string[]',
    said: 'returned 2 entries (a, b).',
  },
  {
    name: 'rows',
    schema: z.array(row),
    value: [{ id: 'a', n: 1 }],
    shown: 'Id  N\na   1',
    type: '}[]',
    said: 'returned 1 row.',
  },
  {
    name: 'pair',
    schema: z.tuple([z.string(), z.number()]),
    value: ['x', 2],
    shown: '- x\n- 2',
    type: '[string, number]',
    said: 'returned 2 entries (x, 2).',
  },
  {
    name: 'either',
    schema: z.union([z.string(), z.number(), z.null()]),
    value: 7,
    shown: '7',
    type: 'string | number | null',
    said: 'returned 7.',
  },
  {
    name: 'maybe',
    schema: row.nullable(),
    value: null,
    shown: 'null',
    type: '} | null',
    said: 'finished.',
  },
  {
    name: 'kinds',
    schema: kinds,
    value: { k: 'b', y: 'q' },
    shown: 'q',
    type: 'k: "b"',
    said: 'returned k: b, y: q.',
  },
  {
    name: 'choice',
    schema: z.enum(['on', 'off']),
    value: 'on',
    shown: 'on',
    type: '"on" | "off"',
    said: 'returned: on',
  },
  {
    name: 'any',
    schema: z.unknown(),
    value: [1, 'x', null],
    shown: '- 1\n- x\n- null',
    type: 'unknown',
    said: 'returned 3 entries.',
  },
]

const tools = types.map(({ name, schema, value }) =>
  defineTool({
    name: `give.${name}`,
    description: 'Answers with a value of this type.',
    effect: 'read',
    inputSchema: z.object({}),
    outputSchema: schema,
    execute: () => value as never,
  }),
)

let mcp: McpCrib
let key: KeyInHand
beforeAll(async () => {
  const autonomy = 'autonomous' as const
  const agent = { model: 'demo', autonomy, tools: { allow: ['give.*', 'agent:*'] } }
  mcp = await openMcpCrib({
    tools,
    config: {
      agents: [
        { slug: 'ops', ...agent },
        { slug: 'sub', description: 'Answers.', ...agent },
      ],
    },
  })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

const run = (...argv: string[]) =>
  runLine(argv, { env: { TOOLCRIB_URL: mcp.server.url, TOOLCRIB_KEY: key.token } })
const port = () => connectCrib({ url: mcp.server.url, key: key.token }).port({ sessionId: 's1' })

test.each(types)('the command line calls and describes a tool that gives $name', async (one) => {
  const called = await run('call', `give.${one.name}`)
  expect([called.code, called.out]).toEqual([0, expect.stringContaining(one.shown)])
  const asJson = await run('call', `give.${one.name}`, '--json')
  expect(JSON.parse(asJson.out)).toMatchObject({ status: 'completed', output: one.value })
  const told = await run('tools', `give.${one.name}`)
  expect(told.out.slice(told.out.indexOf('Output'))).toContain(one.type)
})

test.each(types)('an agent uses a tool that gives $name, and one that it asks', async (one) => {
  const message = `run give.${one.name} with {}`
  const { out, code } = await run('chat', 'ops', message)
  expect([code, out]).toEqual([0, expect.stringContaining(one.said)])
  const asked = await run('chat', 'ops', `run agent:sub with ${JSON.stringify({ message })}`)
  // The answer of the other agent becomes a part of this one's sentence.
  const said = one.said.replace(/\.$/, '')
  expect([asked.code, asked.out]).toEqual([0, expect.stringContaining(said)])
})

test.each(['today', 'older'] as const)('MCP clients of %s get every type', async (era) => {
  const client = await mcp.connect(key, { era })
  await client.listTools()
  for (const { name, value } of types) {
    const result = await client.callTool({ name: `give_${name}`, arguments: {} })
    expect([name, result.isError]).toEqual([name, undefined])
    expect([name, result.structuredContent]).toEqual([
      name,
      era === 'today' ? value : { result: value },
    ])
  }
  await client.close()
})

test('the tool sets of every SDK take every type', async () => {
  const crib = connectCrib({ url: mcp.server.url, key: key.token })
  const { tools: toolSet } = await crib.toolSet()
  const openai = await toOpenAI(port())
  const anthropic = await toAnthropic(port())
  const agents = await toOpenAIAgents(port(), { tool: agentsTool })
  const langChain = await toLangChain(port(), { tool: langChainTool })
  const mastra = await toMastra(port(), { createTool })
  for (const { name: type, value } of types) {
    const name = `give_${type}`
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const options = { toolCallId: `c-${type}`, messages: [], context: {} }
    const given: unknown = await toolSet[name]?.execute?.({}, options)
    expect([type, given]).toEqual([type, value])
    const called = { type: 'function_call', name, call_id: type, arguments: '{}' }
    const { items } = await openai.run({ output: [called] })
    expect(items).toMatchObject([{ output: text }])
    const content = [{ type: 'tool_use', id: type, name, input: {} }]
    const message = { role: 'assistant', content } as unknown as Anthropic.Message
    const answered = await anthropic.run(message)
    expect(JSON.stringify(answered.items)).toContain(JSON.stringify(text).slice(1, -1))
    const agentsTold = await agents.tools
      .find((tool) => tool.name === name)
      ?.invoke(new RunContext(), '{}')
    expect([type, agentsTold]).toEqual([type, text])
    const chained = langChain.tools.find((tool) => tool.name === name)
    const chainTold: unknown = await chained?.invoke({
      type: 'tool_call',
      id: type,
      name,
      args: {},
    })
    expect(chainTold).toMatchObject({ content: text })
    const mastraGiven: unknown = await mastra.tools[name]?.execute?.({}, {} as never)
    expect([type, mastraGiven]).toEqual([type, value])
  }
})

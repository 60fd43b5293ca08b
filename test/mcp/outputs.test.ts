import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { contentOutput } from '../../src/core/kernel/content.ts'
import { defineTool } from '../../src/core/define-tool.ts'
import { type KeyInHand, type McpCrib, openMcpCrib } from './mcp-crib.ts'

const placed: string[] = []
const order = {
  description: 'Places an order.',
  effect: 'write',
  inputSchema: z.object({}),
} as const
const promised = { outputSchema: z.object({ n: z.number() }) }
const node = {
  type: 'object',
  properties: { name: { type: 'string' }, child: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
  required: ['name', 'child'],
  additionalProperties: false,
}
const longText = 'x'.repeat(60_000)
const anyType: [string, z.ZodType, unknown][] = [
  ['text', z.string(), 'a word'],
  ['list', z.array(z.number()), [1, 2]],
  ['number', z.number(), 4],
  ['flag', z.boolean(), false],
  ['none', z.null(), null],
]
const tools = [
  defineTool({
    name: 'order.odd',
    ...order,
    ...promised,
    execute: () => {
      placed.push('odd')
      return { n: 'twelve' } as never
    },
  }),
  defineTool({
    name: 'order.large',
    ...order,
    outputSchema: z.object({ text: z.string() }),
    execute: () => ({ text: 'x'.repeat(400_000) }),
  }),
  defineTool({
    name: 'order.rich',
    ...order,
    outputSchema: z.object({ text: z.string() }),
    execute: () =>
      contentOutput([{ type: 'text', text: 'In short.' }], { text: longText }) as never,
  }),
  defineTool({
    name: 'order.asked',
    ...order,
    ...promised,
    approval: 'always',
    execute: () => ({ n: 1 }),
  }),
  defineTool({
    name: 'order.tree',
    ...order,
    outputSchema: node,
    execute: () => ({ name: 'a', child: { name: 'b', child: null } }),
  }),
  ...anyType.flatMap(([name, outputSchema, value]) =>
    (['read', 'write'] as const).map((effect) =>
      defineTool({
        name: `${effect}.${name}`,
        description: 'Answers.',
        effect,
        inputSchema: z.object({}),
        outputSchema,
        execute: () => value,
      }),
    ),
  ),
]

let mcp: McpCrib
let key: KeyInHand
beforeAll(async () => {
  mcp = await openMcpCrib({ tools, config: { mcp: { waitMs: 1000 } } })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

const eras = ['today', 'older'] as const

test.each(eras)(
  'what happened is not told as failed to a client of %s that checks outputs',
  async (era) => {
    const client = await mcp.connect(key, { era })
    // From here on the client checks structured output by what is listed.
    await client.listTools()
    const odd = await client.callTool({ name: 'order_odd', arguments: {} })
    expect(odd.isError).toBeUndefined()
    expect(odd).toMatchObject({
      structuredContent: {
        toolcrib: { status: 'completed', note: expect.stringContaining('does not fit') as string },
      },
      content: [
        { type: 'text', text: '{"n":"twelve"}' },
        {
          type: 'text',
          text: expect.stringContaining('Warning: The output does not match') as string,
        },
      ],
    })
    const large = await client.callTool({ name: 'order_large', arguments: {} })
    expect([large.isError, large.structuredContent]).toMatchObject([
      undefined,
      { toolcrib: { status: 'completed', note: expect.stringContaining('too large') as string } },
    ])
    const rich = await client.callTool({ name: 'order_rich', arguments: {} })
    expect(rich).toMatchObject({
      content: [
        { type: 'text', text: 'In short.' },
        { type: 'text', text: expect.stringContaining('more bytes hidden') as string },
        { type: 'resource_link' },
      ],
      structuredContent: { text: longText },
    })
    const tree = await client.callTool({ name: 'order_tree', arguments: {} })
    expect(tree.structuredContent).toEqual({ name: 'a', child: { name: 'b', child: null } })
    await client.close()
  },
)

test.each(eras)('outputs of every type reach a client of the era of %s', async (era) => {
  const client = await mcp.connect(key, { era })
  await client.listTools()
  for (const [name, , value] of anyType) {
    for (const effect of ['read', 'write']) {
      const result = await client.callTool({ name: `${effect}_${name}`, arguments: {} })
      expect(result.isError).toBeUndefined()
      expect(result.structuredContent).toEqual(era === 'older' ? { result: value } : value)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      expect(result.content).toEqual([{ type: 'text', text }])
    }
  }
  await client.close()
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { contentOutput } from '../../src/core/kernel/content.ts'
import { definePack } from '../../src/core/define-pack.ts'
import { defineTool, toTool } from '../../src/core/define-tool.ts'
import { serverPack } from '../../src/core/gateway/server-spec.ts'
import { ToolError } from '../../src/core/kernel/errors.ts'
import { type KeyInHand, type McpCrib, modern, openMcpCrib } from './mcp-crib.ts'

const big = 'x'.repeat(60_000)
const picture = Buffer.alloc(40_000, 7).toString('base64')
const started = Promise.withResolvers<AbortSignal>()

const tools = [
  defineTool({
    name: 'demo.add',
    title: 'Add numbers',
    description: 'Adds two numbers.',
    icon: 'https://example.com/add.png',
    effect: 'read',
    inputSchema: z.object({ left: z.number(), right: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
    execute: ({ left, right }) => ({ sum: left + right }),
  }),
  defineTool({
    name: 'demo.long',
    description: 'Answers with more than fits.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => big,
  }),
  defineTool({
    name: 'demo.long_record',
    description: 'Answers with more than fits, in a shape.',
    effect: 'read',
    inputSchema: z.object({}),
    outputSchema: z.object({ text: z.string() }),
    execute: () => ({ text: big }),
  }),
  defineTool({
    name: 'demo.picture',
    description: 'Answers with a picture.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => contentOutput([{ type: 'image', data: picture, mimeType: 'image/png' }]),
  }),
  defineTool({
    name: 'demo.fail',
    description: 'Fails with advice.',
    effect: 'write',
    inputSchema: z.object({}),
    execute() {
      throw new ToolError('upstream_failed', 'The shop is closed', { fix: 'Come back tomorrow.' })
    },
  }),
  defineTool({
    name: 'demo.steps',
    description: 'Yields what it has.',
    effect: 'read',
    inputSchema: z.object({}),
    async *execute() {
      yield 'one'
      yield 'two'
    },
  }),
  defineTool({
    name: 'demo.endless',
    description: 'Never ends by itself.',
    effect: 'read',
    timeoutMs: 60_000,
    inputSchema: z.object({}),
    execute: (_input, { signal }) => {
      started.resolve(signal)
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    },
  }),
]

let mcp: McpCrib
let key: KeyInHand

beforeAll(async () => {
  mcp = await openMcpCrib({
    tools,
    config: {
      agents: [{ slug: 'clerk', tools: { allow: ['demo.add'] } }],
      tenants: [{ slug: 'acme', agents: [{ slug: 'theirs' }] }],
    },
  })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

const eras = ['today', 'older'] as const

test.each(eras)(
  'a client of the era of %s lists tools with what a host shows of them',
  async (era) => {
    const client = await mcp.connect(key, { era })
    const { tools: listed } = await client.listTools()
    const add = listed.find(({ name }) => name === 'demo_add')
    expect({ ...add, inputSchema: undefined, outputSchema: undefined }).toEqual({
      name: 'demo_add',
      title: 'Add numbers',
      description: 'Adds two numbers.',
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      icons: [{ src: 'https://example.com/add.png' }],
      _meta: { 'toolcrib/name': 'demo.add' },
      inputSchema: undefined,
      outputSchema: undefined,
    })
    expect(add?.inputSchema).toMatchObject({ type: 'object', required: ['left', 'right'] })
    await client.close()
  },
)

test.each(eras)('a call of the era of %s gives structured output beside its text', async (era) => {
  const client = await mcp.connect(key, { era })
  for (const name of ['demo_add', 'demo.add']) {
    const result = await client.callTool({ name, arguments: { left: 1, right: 2 } })
    expect(result).toMatchObject({
      structuredContent: { sum: 3 },
      content: [{ type: 'text', text: '{"sum":3}' }],
    })
    expect(result.isError).toBeUndefined()
  }
  await client.close()
})

test.each(eras)(
  'failures of the era of %s say their code, the reason and the way out',
  async (era) => {
    const client = await mcp.connect(key, { era })
    const failed = await client.callTool({ name: 'demo_fail', arguments: {} })
    expect(failed).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'upstream_failed: The shop is closed\nCome back tomorrow.' }],
    })
    const unfit = await client.callTool({ name: 'demo_add', arguments: { left: 'x', right: 2 } })
    expect(unfit.isError).toBe(true)
    expect(JSON.stringify(unfit.content)).toContain('/left must be a number')
    await expect(client.callTool({ name: 'demo_nothing', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('tool_not_found'),
    })
    await client.close()
  },
)

test('an output that was cut names the artifact, which is read as a resource in pages', async () => {
  const client = await mcp.connect(key)
  const { content } = await client.callTool({ name: 'demo_long', arguments: {} })
  const link = content.find(({ type }) => type === 'resource_link') as { uri: string; size: number }
  expect(link).toMatchObject({ size: 60_000, mimeType: 'text/plain; charset=utf-8' })
  expect(link.uri).toMatch(/^crib:\/\/calls\/call_[0-9a-f]{32}\/artifact$/)
  const { contents } = await client.readResource({ uri: link.uri })
  expect(contents).toEqual([
    {
      uri: link.uri,
      mimeType: 'text/plain; charset=utf-8',
      text: big,
      _meta: { 'toolcrib/bytes': 60_000 },
    },
  ])
  const later = await client.readResource({ uri: `${link.uri}?offset=59990` })
  expect(later.contents[0]).toMatchObject({ text: 'x'.repeat(10) })
  const other = await mcp.connect(await mcp.createKey({ scopes: ['tools.call'] }))
  await expect(other.readResource({ uri: link.uri })).rejects.toMatchObject({ code: -32602 })
  await Promise.all([client.close(), other.close()])
})

test('a structured output that was cut for the text is still whole for the program', async () => {
  const client = await mcp.connect(key)
  const result = await client.callTool({ name: 'demo_long_record', arguments: {} })
  expect(result.structuredContent).toEqual({ text: big })
  const [text, link] = result.content
  expect(JSON.stringify(text).length).toBeLessThan(60_000)
  expect(link?.type).toBe('resource_link')
  await client.close()
})

test('the bytes of a picture are kept beside the record and come back with the answer', async () => {
  const client = await mcp.connect(key)
  const result = await client.callTool({ name: 'demo_picture', arguments: {} })
  expect(result.content).toEqual([{ type: 'image', data: picture, mimeType: 'image/png' }])
  const callId = result['_meta']?.['toolcrib/callId'] as string
  const { contents } = await client.readResource({ uri: `crib://calls/${callId}` })
  const record = JSON.parse((contents[0] as { text: string }).text) as { output: object }
  expect(record.output).toEqual({
    $content: [
      {
        type: 'image',
        data: '',
        mimeType: 'image/png',
        $artifact: { id: expect.any(String), bytes: 40_000, mediaType: 'image/png' },
      },
    ],
  })
  await client.close()
})

test.each(eras)('what a tool yields reaches a client of the era of %s as progress', async (era) => {
  const client = await mcp.connect(key, { era })
  const told: unknown[] = []
  const onprogress = (progress: unknown) => void told.push(progress)
  const result = await client.callTool({ name: 'demo_steps', arguments: {} }, { onprogress })
  expect(result.content).toEqual([{ type: 'text', text: 'two' }])
  expect(told).toEqual([
    { progress: 0, message: 'one' },
    { progress: expect.any(Number), message: 'two' },
  ])
  await client.close()
})

test('a client that cancels ends its call', async () => {
  const client = await mcp.connect(key)
  const leave = new AbortController()
  const call = client.callTool({ name: 'demo_endless', arguments: {} }, { signal: leave.signal })
  const failed = call.then(
    () => 'done',
    (error: unknown) => String(error),
  )
  const signal = await started.promise
  leave.abort(new Error('left'))
  expect(await failed).toContain('left')
  await expect.poll(() => signal.aborted).toBe(true)
  await client.close()
})

test('a key that is bound to an agent sees as the agent, and another may act as one', async () => {
  const bound = await mcp.connect(await mcp.createKey({ agent: 'clerk' }))
  const free = await mcp.connect(key, { path: '/mcp/clerk' })
  for (const client of [bound, free]) {
    const { tools: listed } = await client.listTools()
    expect(listed.map(({ name }) => name)).toEqual(['demo_add'])
    await expect(client.callTool({ name: 'demo_long', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    })
    await client.close()
  }
})

test('one MCP server behind the crib has a face of its own, with its own names', async () => {
  const facts = {
    source: 'gateway',
    effect: 'read',
    description: 'Reads.',
    inputSchema: { type: 'object' },
  } as const
  const toOwn = (server: string, local: string) => {
    const name = `mcp:${server}:${local}`
    const pack = serverPack(server)
    return { tool: toTool({ ...facts, name, pack }, { execute: () => name }) }
  }
  const own = [toOwn('files', 'readFile'), toOwn('files', 'list/all'), toOwn('mail', 'read')]
  mcp.crib.registry.setOwn('default', 'gateway', own)
  const client = await mcp.connect(key, { path: '/mcp/servers/files' })
  const { tools: listed } = await client.listTools()
  expect(listed.map(({ name }) => name)).toEqual(['list/all', 'readFile'])
  const { content } = await client.callTool({ name: 'readFile', arguments: {} })
  expect(content).toEqual([{ type: 'text', text: 'mcp:files:readFile' }])
  for (const name of ['demo_add', 'read', 'mcp:mail:read']) {
    await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32602 })
  }
  expect((await client.listPrompts()).prompts).toEqual([])
  const clerk = await mcp.createKey({ agent: 'clerk' })
  for (const [who, path] of [
    [key, '/mcp/servers/nosuch'],
    [key, '/mcp/servers/Files'],
    // It is there, but this agent may use nothing of it.
    [clerk, '/mcp/servers/files'],
  ] as const) {
    const reply = await fetch(new URL(path, mcp.server.url), {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      headers: {
        authorization: `Bearer ${who.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    })
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'not_found' }])
  }
  mcp.crib.registry.setOwn('default', 'gateway', [])
  await client.close()
})

test('no key, a wrong key and an agent that is not the key’s are refused', async () => {
  const wrong = await mcp.post({ id: '', token: 'crib_wrong' }, {})
  expect(wrong.status).toBe(401)
  const bound = await mcp.createKey({ agent: 'clerk' })
  const response = await fetch(new URL('/mcp/other', mcp.server.url), {
    method: 'POST',
    body: '{}',
    headers: { authorization: `Bearer ${bound.token}`, 'content-type': 'application/json' },
  })
  expect(response.status).toBe(403)
  const nobody = await fetch(new URL('/mcp', mcp.server.url), { method: 'POST', body: '{}' })
  expect(nobody.status).toBe(401)
  expect(mcp.faults).toEqual([])
})

test.each(eras)('no client of the era of %s gets in as an agent that is not there', async (era) => {
  for (const agent of ['nobody', 'theirs']) {
    const entering = mcp.connect(key, { era, path: `/mcp/${agent}` })
    await expect(entering).rejects.toThrow(/There is no agent|Version negotiation failed/)
    const [body, headers] = modern('server/discover')
    const reply = await fetch(new URL(`/mcp/${agent}`, mcp.server.url), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${key.token}`,
        'content-type': 'application/json',
        ...headers,
      },
    })
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'not_found' }])
  }
  expect(mcp.faults).toEqual([])
})

test('five thousand tools come in pages, each of them once and in order', async () => {
  const many = Array.from({ length: 5000 }, (_, index) =>
    defineTool({
      name: `many.tool-${String(index).padStart(4, '0')}`,
      description: 'One of many.',
      effect: 'read',
      inputSchema: z.object({}),
      execute: () => index,
    }),
  )
  const pack = definePack({ name: 'many', title: 'Many', description: 'Many.', tools: many })
  mcp.crib.registry.update(pack.tools.map((tool) => ({ type: 'register', tool })))
  const client = await mcp.connect(key)
  const names: string[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await client.request({
      method: 'tools/list',
      ...(cursor !== undefined && { params: { cursor } }),
    })
    names.push(...page.tools.map(({ name }) => name))
    cursor = page.nextCursor
    pages += 1
  } while (cursor !== undefined)
  expect(pages).toBe(6)
  expect(new Set(names).size).toBe(names.length)
  const listed = names.filter((name) => name.startsWith('many_'))
  expect(listed).toEqual(many.map(({ contract }) => contract.name.replace('.', '_')))
  mcp.crib.registry.update(
    pack.tools.map(({ contract }) => ({ type: 'remove', name: contract.name })),
  )
  await client.close()
})

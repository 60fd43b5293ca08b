import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import { type KeyInHand, type McpCrib, modern, openMcpCrib, readAnswer } from './mcp-crib.ts'

const tools = ['shop.find', 'shop_find'].map((name) =>
  defineTool({
    name,
    description: 'Two that look alike on the wire.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => name,
  }),
)

const chatty = defineTool({
  name: 'talk.much',
  description: 'Logs more than anybody reads.',
  effect: 'read',
  inputSchema: z.object({}),
  execute(_input, { client }) {
    for (let count = 0; count < 3_000; count += 1) {
      client?.log({ level: 'debug', data: 'd'.repeat(1_000) })
      client?.log({ level: 'error', data: 'e'.repeat(1_000) })
    }
    return 'said'
  },
})

let mcp: McpCrib
let key: KeyInHand

beforeAll(async () => {
  mcp = await openMcpCrib({ tools: [...tools, chatty] })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

const [list, headers] = modern('tools/list')
const [call, callHeaders] = modern('tools/call', { name: 'shop_find', arguments: {} })

test.each<[what: string, body: unknown, headers: object, status: number, code: number]>([
  ['broken JSON', '{"jsonrpc":', headers, 400, -32700],
  ['an empty body', '', headers, 400, -32700],
  ['JSON that nests too deep', `${'['.repeat(500)}${']'.repeat(500)}`, headers, 400, -32700],
  ['a batch', [list, list], headers, 400, -32600],
  ['a body that is too large', JSON.stringify({ text: 'x'.repeat(2e6) }), headers, 413, -32000],
  ['no JSON at all', 'x', { ...headers, 'content-type': 'text/plain' }, 415, -32000],
  ['a method that disagrees', list, { ...headers, 'mcp-method': 'tools/call' }, 400, -32020],
  ['a name that disagrees', call, { ...callHeaders, 'mcp-name': 'other' }, 400, -32020],
  ['a name that is missing', call, headersWithout('mcp-name'), 400, -32020],
  [
    'a version that disagrees',
    list,
    { ...headers, 'mcp-protocol-version': '2025-11-25' },
    400,
    -32020,
  ],
  ['a cursor that is none', ...withCursor('nonsense'), 200, -32602],
])('%s is refused in the words of the protocol', async (...[, body, more, status, code]) => {
  const response = await mcp.post(key, body, { ...more })
  expect(response.status).toBe(status)
  expect((await readAnswer(response)).error?.code).toBe(code)
})

function headersWithout(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(callHeaders).filter(([key]) => key !== name))
}

function withCursor(cursor: string): ReturnType<typeof modern> {
  return modern('tools/list', { cursor })
}

test.each<[method: string, params: Record<string, unknown>, words: string]>([
  ['tools/list', { cursor: 5 }, 'params.cursor: Invalid input: expected string, received number'],
  ['tools/call', { name: 5 }, 'params.name: Invalid input: expected string, received number'],
  ['prompts/get', { name: [] }, 'params.name: Invalid input: expected string, received array'],
  ['resources/read', {}, 'params.uri: Invalid input: expected string, received undefined'],
])('%s with parameters of another shape is the mistake of the client, in a line', async (...at) => {
  const [method, params, words] = at
  const older = { 'mcp-protocol-version': '2025-11-25' }
  const response = await mcp.post(key, { jsonrpc: '2.0', id: 1, method, params }, older)
  expect((await readAnswer(response)).error).toEqual({
    code: -32602,
    message: `Invalid ${method} request: ${words}`,
  })
})

test('an unknown version is answered with those that are known', async () => {
  const version = '2099-01-01'
  const meta = { 'io.modelcontextprotocol/protocolVersion': version }
  const [body, more] = modern('tools/list', { _meta: meta })
  const response = await mcp.post(key, body, { ...more, 'mcp-protocol-version': version })
  expect(response.status).toBe(400)
  expect((await readAnswer(response)).error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'], requested: version },
  })
})

test('names that meet on the wire stay two tools', async () => {
  const client = await mcp.connect(key)
  const { tools: listed } = await client.listTools()
  const names = listed.map(({ name }) => name).filter((name) => name.startsWith('shop_'))
  expect(new Set(names).size).toBe(2)
  const answers = await Promise.all(
    names.map(async (name) => (await client.callTool({ name, arguments: {} })).content),
  )
  const texts = answers.flat().map((block) => (block as { text: string }).text)
  expect(texts.sort()).toEqual(['shop.find', 'shop_find'])
  await client.close()
})

test('another method than the protocol has is no page of ours', async () => {
  const response = await fetch(new URL('/mcp', mcp.server.url), {
    method: 'PUT',
    headers: { authorization: `Bearer ${key.token}` },
  })
  expect(response.status).toBe(405)
  const get = await fetch(new URL('/mcp', mcp.server.url), {
    headers: { authorization: `Bearer ${key.token}`, accept: 'text/event-stream' },
  })
  expect(get.status).toBe(405)
})

test('nothing of all this was a bug', () => {
  expect(mcp.faults).toEqual([])
})

test.each(['debug', 'error'])(
  'a log at the level %s is passed on up to a bound, so that a client that does not read costs no more',
  async (level) => {
    const meta = { 'io.modelcontextprotocol/logLevel': level }
    const params = { name: 'talk.much', arguments: {}, ['_meta']: meta }
    const text = await (await mcp.post(key, ...modern('tools/call', params))).text()
    const lines = text.split('\n').filter((line) => line.includes('notifications/message'))
    expect(lines.length).toBeGreaterThan(900)
    expect(text.length).toBeLessThan(1_300_000)
    // Lines that nobody wants are not counted.
    expect(lines.filter((line) => line.includes('ddd')).length > 0).toBe(level === 'debug')
    expect(lines.at(-1)).toContain('The log of this request is cut here')
    expect(text).toContain('"text":"said"')
  },
)

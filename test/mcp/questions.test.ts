import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import { operator } from '../setup/governed-crib.ts'
import { type KeyInHand, type McpCrib, modern, openMcpCrib, readAnswer } from './mcp-crib.ts'

const ask = {
  user: {
    method: 'elicitation/create' as const,
    params: {
      message: 'Who are you?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
}

const tools = [
  defineTool({
    name: 'demo.ask',
    description: 'Asks who is there; answering takes no time of its own.',
    effect: 'write',
    timeoutMs: 400,
    inputSchema: z.object({}),
    async execute(_input, { client }) {
      const answers = await client?.ask(ask)
      return { said: answers?.['user'] ?? null }
    },
  }),
  defineTool({
    name: 'demo.relay',
    description: 'Has another tool ask.',
    effect: 'write',
    timeoutMs: 400,
    inputSchema: z.object({}),
    execute: (_input, { call }) => call('demo.ask', {}),
  }),
  defineTool({
    name: 'demo.other',
    description: 'Another tool.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'other',
  }),
]

let mcp: McpCrib
let key: KeyInHand

beforeAll(async () => {
  mcp = await openMcpCrib({ tools, limits: { askMs: 1500, maxParkedPerCaller: 3 } })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

const canAnswer = { elicitation: {} }
const accepted = { action: 'accept', content: { name: 'Ann' } }
const begin = modern('tools/call', { name: 'demo_ask', arguments: {} }, canAnswer)

async function park(): Promise<string> {
  const { result } = await readAnswer(await mcp.post(key, ...begin))
  expect(result).toMatchObject({ resultType: 'input_required', inputRequests: ask })
  return result?.['requestState'] as string
}

function retry(requestState: string, more: object = { user: accepted }, name = 'demo_ask') {
  const params = { name, arguments: {}, inputResponses: more, requestState }
  return modern('tools/call', params, canAnswer)
}

const refused = { error: { code: -32602, message: 'Invalid or expired requestState' } }

test.each([
  ['today', 'demo_ask'],
  ['older', 'demo_ask'],
  ['today', 'demo_relay'],
  ['older', 'demo_relay'],
] as const)(
  'a client of the era of %s answers %s, longer than the tool may run',
  async (era, name) => {
    const client = await mcp.connect(key, { era, capabilities: canAnswer })
    client.setRequestHandler('elicitation/create', async () => {
      await new Promise((resolve) => setTimeout(resolve, 600))
      return { action: 'accept', content: { name: 'Ann' } }
    })
    const { content } = await client.callTool({ name, arguments: {} })
    expect(content).toEqual([{ type: 'text', text: JSON.stringify({ said: accepted }) }])
    await client.close()
  },
)

test('a client that can not be asked is told so before the older eras knew how', async () => {
  const today = await mcp.connect(key)
  await expect(today.callTool({ name: 'demo_ask', arguments: {} })).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: { form: {} } } },
  })
  const older = await mcp.connect(key, { era: 'older' })
  const { isError, content } = await older.callTool({ name: 'demo_ask', arguments: {} })
  expect(isError).toBe(true)
  expect(JSON.stringify(content)).toContain('client_unable')
  await Promise.all([today.close(), older.close()])
})

test('the state of a round is taken once', async () => {
  const state = await park()
  const first = await readAnswer(await mcp.post(key, ...retry(state)))
  expect(first.result).toMatchObject({ resultType: 'complete' })
  expect(await readAnswer(await mcp.post(key, ...retry(state)))).toMatchObject(refused)
})

test('state that was changed, is another’s or of another tool is refused, and the call waits on', async () => {
  const state = await park()
  const changed = `${state.slice(0, -2)}${state.endsWith('AA') ? 'BB' : 'AA'}`
  expect(await readAnswer(await mcp.post(key, ...retry(changed)))).toMatchObject(refused)
  const stranger = await mcp.createKey()
  expect(await readAnswer(await mcp.post(stranger, ...retry(state)))).toMatchObject(refused)
  const other = retry(state, { user: accepted }, 'demo_other')
  expect(await readAnswer(await mcp.post(key, ...other))).toMatchObject(refused)
  const { result } = await readAnswer(await mcp.post(key, ...retry(state)))
  expect(result).toMatchObject({ resultType: 'complete' })
})

test('an answer that does not fit is asked for again', async () => {
  const { result } = await readAnswer(await mcp.post(key, ...retry(await park(), { user: 7 })))
  expect(result).toMatchObject({ resultType: 'input_required', inputRequests: ask })
  const next = retry(result?.['requestState'] as string)
  expect((await readAnswer(await mcp.post(key, ...next))).result).toMatchObject({
    resultType: 'complete',
  })
})

test('an answer to a call that has ended meanwhile is told how it ended, once', async () => {
  const state = await park()
  const { items } = await mcp.crib.api.listCalls(operator, { limit: 1, tool: 'demo.ask' })
  await mcp.crib.api.cancelCall(operator, { id: items[0]?.callId ?? '' })
  const { result } = await readAnswer(await mcp.post(key, ...retry(state)))
  expect(result).toMatchObject({ resultType: 'complete', isError: true })
  expect(JSON.stringify(result)).toContain(items[0]?.callId)
  expect(JSON.stringify(result?.['content'])).toContain('cancelled')
  expect(await readAnswer(await mcp.post(key, ...retry(state)))).toMatchObject(refused)
})

test('a call whose client never answers ends, and one caller has only so many of them', async () => {
  const states = [await park(), await park(), await park()]
  const fourth = await readAnswer(await mcp.post(key, ...begin))
  expect(fourth.error?.message).toContain('rate_limited')
  const caller = await mcp.crib.api.authenticate(key.token, 'api')
  const open = async () => {
    const { items } = await mcp.crib.api.listCalls(caller!, { limit: 50, tool: 'demo.ask' })
    return items.filter(({ status }) => status === 'running').length
  }
  await expect.poll(open).toBe(0)
  // Soon after, a late client is told so; later, its ticket is over.
  await expect
    .poll(async () => readAnswer(await mcp.post(key, ...retry(states[0]!))))
    .toMatchObject(refused)
})

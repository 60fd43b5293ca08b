import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { defineTool } from '../src/core/define-tool.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'

const noun = ['invoice', 'customer', 'order', 'parcel', 'ticket', 'refund', 'contract', 'report']
const many = Array.from({ length: 120 }, (_, index) =>
  toolOf(`desk.${noun[index % noun.length]}-${index}`, `Handle a ${noun[index % noun.length]}.`),
)

function toolOf(name: string, description: string, more: object = {}) {
  return defineTool({
    name,
    description,
    effect: 'read',
    inputSchema: z.object({ id: z.string() }),
    execute: ({ id }) => ({ id }),
    ...more,
  })
}

let crib: OpenCrib
const caller = (agent: string, more: Partial<Caller> = {}): Caller => ({
  tenant: 'default',
  principal: { kind: 'user', id: 'anna' },
  permissions: ['*'],
  runtime: 'chat',
  agent,
  ...more,
})
const offeredTo = async (who: Caller) => {
  const { mode, tools } = await crib.api.offer(who)
  return { mode, tools: tools.map(({ name }) => name) }
}
const metaTools = ['tools.call', 'tools.describe', 'tools.search']

beforeAll(async () => {
  crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    store: await openTestStore(),
    env: {},
    config: {
      tools: [],
      agents: [
        { slug: 'all', tools: { allow: ['*'] } },
        { slug: 'few', tools: { allow: ['desk.invoice-0'] } },
        { slug: 'searcher', tools: { allow: ['desk.*', 'vault.open'] }, toolMode: 'search' },
        { slug: 'lister', tools: { allow: ['*'] }, toolMode: 'list' },
        { slug: 'barred', tools: { allow: ['*'], deny: ['tools.*'] } },
      ],
      approvals: { expiresIn: '1h' },
    },
    tools: [
      ...many,
      toolOf('vault.open', 'Open the vault.', { effect: 'destructive', approval: 'always' }),
      toolOf('hidden.tool', 'Something that searchers are not granted.'),
    ],
    onWarning: () => undefined,
  })
})
afterAll(async () => {
  await crib.close()
  await crib.store.close()
})

test('an agent with few tools lists them, one with many searches, unless it is said', async () => {
  expect(await offeredTo(caller('few'))).toEqual({ mode: 'list', tools: ['desk.invoice-0'] })
  expect(await offeredTo(caller('all'))).toEqual({ mode: 'search', tools: metaTools })
  expect(await offeredTo(caller('searcher'))).toEqual({ mode: 'search', tools: metaTools })
  expect((await offeredTo(caller('lister'))).mode).toBe('list')
  expect((await offeredTo(caller('few', { toolMode: 'search' }))).tools).toEqual(metaTools)
})

test('where searching is denied, everything is listed', async () => {
  const { mode, tools } = await offeredTo(caller('barred'))
  expect(mode).toBe('list')
  expect(tools.filter((name) => name.startsWith('desk.'))).toHaveLength(many.length)
})

test('what is found stays found for the conversation, and for no other', async () => {
  const me = caller('searcher', { sessionId: 'ses_found' })
  const found = await crib.api.call({
    tool: 'tools_search',
    input: { query: 'handle a parcel', limit: 2 },
    caller: me,
  })
  expect(found).toMatchObject({
    status: 'completed',
    output: { tools: [{ name: 'desk.parcel-107' }, { name: 'desk.parcel-11' }], searched: 121 },
  })
  expect((await offeredTo(me)).tools).toEqual(['desk.parcel-107', 'desk.parcel-11', ...metaTools])
  expect((await offeredTo(caller('searcher', { sessionId: 'other' }))).tools).toEqual(metaTools)
  const sheet = await crib.api.call({
    tool: 'tools.describe',
    input: { names: ['vault.open'] },
    caller: me,
  })
  expect(sheet.output).toMatchObject({
    tools: [{ name: 'vault.open', needsApproval: true, wireName: 'vault_open' }],
  })
  expect((await offeredTo(me)).tools).toContain('vault.open')
})

test('a call through tools.call is a call of the tool it names, in every record', async () => {
  const me = caller('searcher')
  const result = await crib.api.call({
    tool: 'tools_call',
    input: { name: 'desk.order-2', input: '{"id":"o1"}' },
    caller: me,
    durable: true,
  })
  expect(result).toMatchObject({ status: 'completed', output: { id: 'o1' } })
  expect(await crib.api.findCall(me, { id: result.callId ?? '' })).toMatchObject({
    tool: 'desk.order-2',
    input: { id: 'o1' },
  })
  const asked = await crib.api.call({
    tool: 'tools.call',
    input: { name: 'vault_open', input: { id: 'v1' } },
    caller: me,
  })
  expect(asked.status).toBe('waiting')
  const { items } = await crib.api.listApprovals(me, { limit: 10 })
  expect(items).toMatchObject([{ tool: 'vault.open', input: { id: 'v1' } }])
})

test('searching is no way around what a caller does not see', async () => {
  const me = caller('searcher')
  const calls = [
    { tool: 'tools.call', input: { name: 'hidden.tool', input: { id: 'x' } } },
    { tool: 'tools.describe', input: { names: ['hidden.tool'] } },
    { tool: 'tools.call', input: { name: 'tools.call', input: {} } },
    { tool: 'tools.call', input: { input: '{}' } },
    { tool: 'tools.call', input: { name: 'desk.order-2', input: '{' } },
  ]
  const codes: unknown[] = []
  for (const call of calls) {
    codes.push((await crib.api.call({ ...call, caller: me })).error?.code)
  }
  expect(codes).toEqual([
    'tool_not_found',
    'tool_not_found',
    'invalid_input',
    'invalid_input',
    'invalid_input',
  ])
  const search = { tool: 'tools.search', input: { query: 'hidden', limit: null } }
  expect((await crib.api.call({ ...search, caller: me })).output).toMatchObject({ tools: [] })
})

test('of several names, those that are known are described, and the others named', async () => {
  const { output } = await crib.api.call({
    tool: 'tools.describe',
    input: { names: ['desk.order-2', 'hidden.tool', 'desk.ordr'] },
    caller: caller('searcher'),
  })
  expect(output).toMatchObject({
    tools: [{ name: 'desk.order-2' }],
    unknown: ['hidden.tool', 'desk.ordr'],
  })
})

test('input that can not be read is nothing to ask a person about: calling it says what is wrong', async () => {
  const request = { tool: 'tools.call', input: { name: 'vault.open', input: '{' } }
  expect(await crib.api.ask({ ...request, caller: caller('searcher') })).toBeUndefined()
})

test('a tool of the name tools_call is called by it', async () => {
  const own = await createTestCrib({ tools: [toolOf('tools_call', 'Calls the toolshed.')] })
  const result = await own.call('tools_call', { id: 'own' })
  const { tools } = await own.toolSet()
  await own.close()
  expect(result).toMatchObject({ status: 'completed', output: { id: 'own' } })
  expect(tools['tools_call']?.metadata).toMatchObject({ name: 'tools_call' })
})

test('people search too, and see what a list would take of a model', async () => {
  const owner = caller('all', { agent: undefined })
  const { items, searched } = await crib.api.searchTools(owner, { q: 'vault', limit: 5 })
  expect(items.map(({ name }) => name)).toEqual(['vault.open'])
  expect(searched).toBeGreaterThan(many.length)
  const estimate = await crib.api.estimateTools(owner, { agent: 'all' })
  expect(estimate).toMatchObject({ tools: searched, mode: 'search' })
  expect(estimate.tokens.list).toBeGreaterThan(estimate.tokens.search * 5)
})

test('a key says how its holder gets to know the tools', async () => {
  const owner = caller('all', { agent: undefined })
  const { token } = await crib.api.createKey(owner, {
    name: 'many',
    scopes: ['tools.call'],
    toolMode: 'search',
  })
  const holder = await crib.api.authenticate(token, 'mcp')
  expect(holder?.toolMode).toBe('search')
  expect(holder && (await offeredTo(holder)).tools).toEqual(metaTools)
})

import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import { operator } from '../setup/governed-crib.ts'
import { type KeyInHand, type McpCrib, openMcpCrib } from './mcp-crib.ts'

let mcp: McpCrib
let key: KeyInHand
beforeAll(async () => {
  const reader = (name: string, reads: 'untrusted' | 'private') =>
    defineTool({
      name,
      description: 'Reads something.',
      effect: 'read',
      labels: { reads: [reads] },
      inputSchema: z.object({}),
      execute: () => 'read',
    })
  const send = defineTool({
    name: 'mail.send',
    description: 'Sends a letter.',
    effect: 'write',
    openWorld: true,
    inputSchema: z.object({}),
    execute: () => 'sent',
  })
  const refund = defineTool({
    name: 'billing.refund',
    description: 'Gives the money of an order back.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'refunded',
  })
  const tools = [refund, send, reader('wiki.fetch', 'untrusted'), reader('crm.find', 'private')]
  mcp = await openMcpCrib({ tools, limits: { waitMs: 100 } })
  key = await mcp.createKey({ toolMode: 'search' })
})
afterAll(() => mcp.close())

const meta = ['tools_call', 'tools_describe', 'tools_search', 'toolcrib_result']
// Who can be asked something has a session.
const withSession = { era: 'older', capabilities: { roots: {} } } as const

async function listed(client: Client): Promise<string[]> {
  const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' })
  return tools.map(({ name }) => name)
}

function search(client: Client) {
  return client.callTool({ name: 'tools_search', arguments: { query: 'money back', limit: 1 } })
}

test('what a client with a session has found is listed there, and in no other session', async () => {
  const client = await mcp.connect(key, withSession)
  const other = await mcp.connect(key, withSession)
  let changes = 0
  client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1))
  let otherChanges = 0
  other.setNotificationHandler('notifications/tools/list_changed', () => void (otherChanges += 1))
  expect(await listed(client)).toEqual(meta)
  await search(client)
  expect(await listed(client)).toEqual(['billing_refund', ...meta])
  await expect.poll(() => changes).toBe(1)
  expect(await client.callTool({ name: 'billing_refund', arguments: {} })).toMatchObject({
    content: [{ type: 'text', text: 'refunded' }],
  })
  expect(await listed(other)).toEqual(meta)
  expect(otherChanges).toBe(0)
  await client.close()
  await other.close()
})

test('the calls of a session say which it was', async () => {
  const client = await mcp.connect(key, withSession)
  const id = client.transport?.sessionId
  await client.callTool({ name: 'billing_refund', arguments: {} })
  const { items } = await mcp.crib.api.listCalls(operator, { sessionId: `mcp:${id}`, limit: 5 })
  expect(items.map(({ tool }) => tool)).toEqual(['billing.refund'])
  await client.close()
})

test('what a session has read counts there when something is to leave, and not elsewhere', async () => {
  const client = await mcp.connect(key, withSession)
  const other = await mcp.connect(key, withSession)
  for (const name of ['wiki_fetch', 'crm_find']) await client.callTool({ name, arguments: {} })
  const send = { name: 'mail_send', arguments: {} }
  expect(JSON.stringify(await client.callTool(send))).toContain('appr_')
  expect(await other.callTool(send)).toMatchObject({ content: [{ type: 'text', text: 'sent' }] })
  await client.close()
  await other.close()
})

test.each([
  // Today's era knows no sessions, so there is no conversation to find things for.
  { era: 'today', found: [] },
  { era: 'older', found: ['billing_refund'] },
] as const)('a client that can be asked nothing has listed what it found ($era)', async (how) => {
  const client = await mcp.connect(key, how)
  await search(client)
  expect(await listed(client)).toEqual([...how.found, ...meta])
  const called = await client.callTool({
    name: 'tools_call',
    arguments: { name: 'billing.refund', input: '{}' },
  })
  expect(called).toMatchObject({ content: [{ type: 'text', text: 'refunded' }] })
  await client.close()
  const other = await mcp.connect(key, how)
  expect(await listed(other)).toEqual(meta)
  await other.close()
})

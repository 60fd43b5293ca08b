import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { ClientRequest } from '../../src/core/kernel/context/caller-client.ts'
import { defineTool } from '../../src/core/define-tool.ts'
import { type McpCrib, modern, openMcpCrib, readAnswer, withTasks } from './mcp-crib.ts'

let mcp: McpCrib | undefined
afterEach(async () => {
  await mcp?.close()
  mcp = undefined
})

const question: ClientRequest = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Really?', requestedSchema: { type: 'object', properties: {} } },
}

const ask = defineTool({
  name: 'demo.ask',
  description: 'Asks whoever called.',
  effect: 'write',
  clientNeeds: ['tasks'],
  inputSchema: z.object({}),
  async execute(_input, { client }) {
    await client?.ask({ sure: question })
    return 'done'
  },
})

test('a task whose client never answers what it asks ends, and gives its place back', async () => {
  mcp = await openMcpCrib({ tools: [ask], limits: { askMs: 300 } })
  const crib = mcp
  const key = await crib.createKey()
  const able = { elicitation: { form: {} }, ...withTasks }
  const made = await readAnswer(
    await crib.post(key, ...modern('tools/call', { name: 'demo_ask' }, able)),
  )
  const taskId = String(made.result?.['taskId'])
  const look = async () =>
    (await readAnswer(await crib.post(key, ...modern('tasks/get', { taskId }, able)))).result
  await expect.poll(async () => (await look())?.['status']).toBe('completed')
  expect(JSON.stringify((await look())?.['result'])).toContain('did not answer within 0.3 s')
})

test('what is refused outside of a call says why', async () => {
  mcp = await openMcpCrib({ tools: [ask] })
  const key = await mcp.createKey()
  const params = { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'a', value: '' } }
  const { error } = await readAnswer(
    await mcp.post(key, { jsonrpc: '2.0', id: 1, method: 'completion/complete', params }),
  )
  expect(error?.message).toContain('not_found: There is no')
})

test('a tenant that holds all sessions loses one to the next that comes', async () => {
  const limits = { maxSessions: 4, maxSessionsPerCaller: 4 }
  const config = { tenants: [{ slug: 'acme' }] }
  mcp = await openMcpCrib({ tools: [ask], limits, config })
  const crib = mcp
  const begin = async (key: Awaited<ReturnType<typeof crib.createKey>>) => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1' },
    }
    const response = await crib.post(key, { jsonrpc: '2.0', id: 1, method: 'initialize', params })
    await response.text()
    return response
  }
  const greedy = await crib.createKey()
  const first = (await begin(greedy)).headers.get('mcp-session-id') ?? ''
  for (let count = 1; count < 4; count += 1) await begin(greedy)
  const other = await crib.createKey({ tenant: 'acme' })
  expect((await begin(other)).status).toBe(200)
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
  expect((await crib.post(greedy, ping, { 'mcp-session-id': first })).status).toBe(404)
})

import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import { operator } from '../setup/governed-crib.ts'
import { type KeyInHand, type McpCrib, modern, openMcpCrib, readAnswer } from './mcp-crib.ts'

const tools = [
  defineTool({
    name: 'demo.count',
    description: 'Tells how far it is.',
    effect: 'read',
    inputSchema: z.object({}),
    execute(_input, { progress }) {
      for (let done = 1; done <= 50; done += 1) progress({ done })
      return 'counted'
    },
  }),
]

let mcp: McpCrib
let key: KeyInHand

beforeAll(async () => {
  mcp = await openMcpCrib({ tools })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

const large = 'x'.repeat(200_000)
const initialize = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
    clientInfo: { name, version: '1' },
  },
})

test('what a server would keep for as long as a client stays is bounded', async () => {
  const refused = await mcp.post(key, initialize(large))
  expect([refused.status, (await readAnswer(refused)).error?.code]).toEqual([413, -32602])
  const filter = { notifications: { resourceSubscriptions: [`crib://${large}`] } }
  const listen = await mcp.post(key, ...modern('subscriptions/listen', filter))
  expect([listen.status, (await readAnswer(listen)).error?.code]).toEqual([413, -32602])
  const opened = await mcp.post(key, initialize('small'))
  await opened.text()
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const subscribe = (uri: string) => ({
    ...initialize(''),
    method: 'resources/subscribe',
    params: { uri },
  })
  const far = await readAnswer(
    await mcp.post(key, subscribe(`crib://${'x'.repeat(5000)}`), session),
  )
  expect(far.error?.code).toBe(-32602)
  const { callId } = await mcp.crib.api.call({ tool: 'demo.count', input: {}, caller: operator })
  const near = subscribe(`crib://calls/${callId ?? ''}`)
  expect((await readAnswer(await mcp.post(key, near, session))).result).toEqual({})
})

test('a progress token is not sent back a hundred times over, whatever its size', async () => {
  const count = async (progressToken: string) => {
    const params = { name: 'demo_count', arguments: {}, _meta: { progressToken } }
    return (await mcp.post(key, ...modern('tools/call', params))).text()
  }
  expect((await count('small')).split('notifications/progress').length).toBeGreaterThan(10)
  const answer = await count(large)
  expect(answer).toContain('counted')
  expect(answer.length).toBeLessThan(10_000)
})

test('a request that names two hosts is nobody’s', async () => {
  const { port } = new URL(mcp.server.url)
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.once('data', (bytes) => resolve(bytes.toString()))
    const lines = ['GET /healthz HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Host: evil.example', '', '']
    socket.write(lines.join('\r\n'))
  })
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import { operator } from '../setup/governed-crib.ts'
import { type KeyInHand, type McpCrib, openMcpCrib } from './mcp-crib.ts'

/** Models whose clients know nothing of tasks come back for what was left waiting. */
let mcp: McpCrib
let key: KeyInHand
beforeAll(async () => {
  const send = defineTool({
    name: 'mail.send',
    description: 'Sends a letter once a person says yes.',
    effect: 'write',
    approval: 'always',
    inputSchema: z.object({ to: z.string(), copy: z.string().nullable() }),
    outputSchema: z.object({ sent: z.string() }),
    execute: ({ to }) => ({ sent: to }),
  })
  mcp = await openMcpCrib({ tools: [send], limits: { waitMs: 200 } })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

interface Answer {
  content: { type: string; text: string }[]
  isError?: boolean
  _meta?: Record<string, string>
}

async function connect(era: 'today' | 'older') {
  const client = await mcp.connect(key, { era })
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })) as unknown as Answer
  return { client, call }
}

test.each(['today', 'older'] as const)(
  'a model gets the result of what waited (%s)',
  async (era) => {
    const { client, call } = await connect(era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['mail_send', 'toolcrib_result']),
    )
    const waiting = await call('mail_send', { to: era })
    const callId = toCallId(waiting)
    expect(waiting.content[0]?.text).toContain('Ask toolcrib_result for its result later')
    const early = await call('toolcrib_result', { callId })
    expect(early.isError).toBeUndefined()
    expect(early.content[0]?.text).toContain(`The call ${callId} waits for a person`)
    const { approvalId } = await mcp.crib.api.findCall(operator, { id: callId })
    await mcp.crib.api.decideApproval(operator, { id: approvalId ?? '', decision: 'approve' })
    const result = await call('toolcrib_result', { callId })
    expect([result.isError, result.content[0]?.text]).toEqual([undefined, `{"sent":"${era}"}`])
    await client.close()
  },
)

test('what is no call, and what is a call of others, is not found; nothing but an id is asked for', async () => {
  const { client, call } = await connect('older')
  for (const unknown of ['call_1', 'x']) {
    const answer = await call('toolcrib_result', { callId: unknown })
    expect([answer.isError, answer.content[0]?.text]).toEqual([
      true,
      expect.stringContaining('not_found'),
    ])
  }
  const callId = toCallId(await call('mail_send', { to: 'me' }))
  const other = await mcp.connect(await mcp.createKey(), { era: 'older' })
  const theirs = { name: 'toolcrib_result', arguments: { callId } }
  expect(await other.callTool(theirs)).toMatchObject({ isError: true })
  const empty = await call('toolcrib_result', {})
  expect(empty.content[0]?.text).toBe(
    'invalid_input: The input does not fit\n- /callId must be the id of a call',
  )
  await client.close()
  await other.close()
})

test('who stops waiting for a result does not end the call', async () => {
  const { client, call } = await connect('today')
  const callId = toCallId(await call('mail_send', { to: 'x' }))
  const signal = AbortSignal.timeout(50)
  const input = { name: 'toolcrib_result', arguments: { callId } }
  await expect(client.callTool(input, { signal })).rejects.toThrow('abort')
  await call('toolcrib_result', { callId })
  expect(await mcp.crib.api.findCall(operator, { id: callId })).toMatchObject({ status: 'waiting' })
  await client.close()
})

test('what may be null need not be sent, and clients are told so', async () => {
  const { client } = await connect('today')
  const { tools } = await client.listTools()
  const send = tools.find(({ name }) => name === 'mail_send')
  expect(send?.inputSchema.required).toEqual(['to'])
  await client.close()
})

function toCallId({ _meta: meta }: Answer): string {
  return meta?.['toolcrib/callId'] ?? ''
}

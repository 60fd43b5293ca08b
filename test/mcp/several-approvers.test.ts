import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../src/core/kernel/call.ts'
import { defineTool } from '../../src/core/define-tool.ts'
import { operator } from '../setup/governed-crib.ts'
import {
  type KeyInHand,
  type McpCrib,
  modern,
  openMcpCrib,
  readAnswer,
  withTasks,
} from './mcp-crib.ts'

/** Calls that two people have to say yes to; an MCP client speaks for one of them. */
let mcp: McpCrib
let key: KeyInHand
const done: string[] = []

beforeAll(async () => {
  const remove = defineTool({
    name: 'demo.delete',
    description: 'Deletes once two people say yes.',
    effect: 'destructive',
    approval: 'always',
    inputSchema: z.object({ file: z.string() }),
    execute: ({ file }) => void done.push(file),
  })
  mcp = await openMcpCrib({
    tools: [remove],
    config: { approvals: { rules: [{ tools: ['demo.*'], quorum: 2 }] } },
    limits: { waitMs: 2_000 },
  })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

const able = { elicitation: { form: {} } }
const yes = { action: 'accept', content: { confirm: true } }

async function send(method: string, params: object, abilities: object = able) {
  const request = modern(method, { ...params }, { ...abilities })
  const { result, error } = await readAnswer(await mcp.post(key, ...request))
  if (error !== undefined) throw new Error(error.message)
  return result ?? {}
}

function call(file: string, more: object = {}, abilities: object = able) {
  return send('tools/call', { name: 'demo_delete', arguments: { file }, ...more }, abilities)
}

/** The key is the operator's, so the second person has to be another. */
const anna: Caller = { ...operator, principal: { kind: 'user', id: 'anna' } }

/** The other person says yes: to what is there, or to something else. */
async function approve(file: string, input?: { file: string }): Promise<void> {
  await vi.waitFor(async () => {
    const { items } = await mcp.crib.api.listApprovals(operator, { status: 'pending', limit: 50 })
    const its = items.find((one) => (one.input as { file: string }).file === file)
    if (its === undefined) throw new Error('nothing waits yet')
    await mcp.crib.api.decideApproval(anna, {
      id: its.id,
      decision: 'approve',
      ...(input && { input }),
    })
  })
}

test('a yes to an input that was edited meanwhile does not count', async () => {
  const { requestState } = await call('a')
  await approve('a', { file: 'other a' })
  const again = await call('a', { requestState, inputResponses: { approval: yes } })
  expect([again['resultType'], done]).toEqual(['input_required', []])
  const [name, question] = Object.entries(again['inputRequests'] as object)[0] ?? ['']
  expect(JSON.stringify(question)).toContain('other a')
  await call('a', { requestState, inputResponses: { [name]: yes } })
  expect(done).toEqual(['other a'])
})

test('nor does it as the answer to a task', async () => {
  const abilities = { ...able, ...withTasks }
  const { taskId } = await call('b', {}, abilities)
  await approve('b', { file: 'other b' })
  await send('tasks/update', { taskId, inputResponses: { approval: yes } }, abilities)
  const task = await send('tasks/get', { taskId }, abilities)
  expect([task['status'], done.includes('other b')]).toEqual(['input_required', false])
  const [name = ''] = Object.keys(task['inputRequests'] as object)
  await send('tasks/update', { taskId, inputResponses: { [name]: yes } }, abilities)
  await vi.waitFor(() => expect(done).toContain('other b'), 20_000)
})

test('a client with a session is asked anew about what somebody has edited', async () => {
  const client = await mcp.connect(key, { era: 'older', capabilities: able })
  const asked: string[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message)
    if (asked.length === 1) await approve('c', { file: 'other c' })
    return { action: 'accept', content: { confirm: true } }
  })
  await client.callTool({ name: 'demo_delete', arguments: { file: 'c' } })
  expect(asked).toEqual([expect.stringContaining('"c"'), expect.stringContaining('"other c"')])
  expect(done).toContain('other c')
  await client.close()
})

test('who has said yes is not asked again while others have to, and may say so twice', async () => {
  const { requestState } = await call('d')
  const answer = { requestState, inputResponses: { approval: yes } }
  for (const more of [answer, answer, { requestState }]) {
    expect(JSON.stringify(await call('d', more))).toContain('waits for a person to approve it')
  }
  const abilities = { ...able, ...withTasks }
  const { taskId } = await call('e', {}, abilities)
  for (const inputResponses of [{ approval: yes }, { approval: yes }]) {
    await send('tasks/update', { taskId, inputResponses }, abilities)
    expect(await send('tasks/get', { taskId }, abilities)).toMatchObject({ inputRequests: {} })
  }
  await approve('d')
  await vi.waitFor(() => expect(done).toContain('d'), 20_000)
  expect(done).not.toContain('e')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'
import {
  type KeyInHand,
  type McpCrib,
  modern,
  openMcpCrib,
  readAnswer,
  type RpcAnswer,
  withTasks,
} from './mcp-crib.ts'

const tools = [
  defineTool({
    name: 'demo.delete',
    description: 'Deletes once a person says yes.',
    effect: 'destructive',
    approval: 'always',
    inputSchema: z.object({ file: z.string() }),
    outputSchema: z.object({ deleted: z.string() }),
    execute: ({ file }) => ({ deleted: file }),
  }),
  defineTool({
    name: 'demo.outside',
    description: 'Is done by somebody outside.',
    effect: 'write',
    execution: 'external',
    inputSchema: z.object({}),
    execute: () => undefined,
  }),
  defineTool({
    name: 'demo.slow',
    description: 'Takes a while.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => new Promise((resolve) => setTimeout(resolve, 800, 'done')),
  }),
]

let mcp: McpCrib
let key: KeyInHand

beforeAll(async () => {
  mcp = await openMcpCrib({
    tools,
    config: {
      agents: [{ slug: 'clerk', tools: { allow: ['demo.*'] } }],
      approvals: { rules: [{ tools: ['demo.delete'], agents: ['clerk'], requester: 'barred' }] },
      tenants: [{ slug: 'other' }],
    },
    limits: { taskAfterMs: 100, waitMs: 300 },
  })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

const able = { ...withTasks, elicitation: {} }

async function ask(by: KeyInHand, method: string, params: object): Promise<RpcAnswer> {
  return readAnswer(await mcp.post(by, ...modern(method, { ...params }, able)))
}

async function startTask(by: KeyInHand, name: string, input: object = {}): Promise<string> {
  const { result } = await ask(by, 'tools/call', { name, arguments: input })
  const status = name === 'demo_delete' ? 'input_required' : 'working'
  expect(result).toMatchObject({ resultType: 'task', status, ttlMs: null })
  return result?.['taskId'] as string
}

async function getTask(by: KeyInHand, taskId: string) {
  return (await ask(by, 'tasks/get', { taskId })).result
}

const answer = (content: object) => ({ approval: { action: 'accept', content } })

test('an approval that waits is input for whoever may decide, and a yes runs the call', async () => {
  const taskId = await startTask(key, 'demo_delete', { file: 'a.txt' })
  expect(await getTask(key, taskId)).toMatchObject({
    status: 'input_required',
    inputRequests: {
      approval: {
        method: 'elicitation/create',
        params: { message: expect.stringContaining('a.txt') },
      },
    },
  })
  const acknowledged = await ask(key, 'tasks/update', {
    taskId,
    inputResponses: answer({ confirm: true, reason: 'fine' }),
  })
  expect(acknowledged.result).toMatchObject({ resultType: 'complete' })
  await expect
    .poll(() => getTask(key, taskId))
    .toMatchObject({
      status: 'completed',
      result: { structuredContent: { deleted: 'a.txt' } },
    })
})

test('a no ends the task with what the tool was not allowed', async () => {
  const taskId = await startTask(key, 'demo_delete', { file: 'b.txt' })
  await ask(key, 'tasks/update', { taskId, inputResponses: answer({ confirm: false }) })
  expect(await getTask(key, taskId)).toMatchObject({
    status: 'completed',
    result: { isError: true, content: [{ text: expect.stringContaining('approval_rejected') }] },
  })
})

test('the key of an agent is not asked about its own call, and its yes does not count', async () => {
  const clerk = await mcp.createKey({ agent: 'clerk' })
  const taskId = await startTask(clerk, 'demo_delete', { file: 'c.txt' })
  expect(await getTask(clerk, taskId)).toMatchObject({
    status: 'input_required',
    inputRequests: {},
    statusMessage: 'Waits for a person to approve it',
  })
  const forged = await ask(clerk, 'tasks/update', {
    taskId,
    inputResponses: answer({ confirm: true }),
  })
  expect(forged.error).toMatchObject({ code: -32602 })
  expect(await getTask(clerk, taskId)).toMatchObject({ status: 'input_required' })
})

test('a task of another key or another tenant is not there', async () => {
  const taskId = await startTask(key, 'demo_outside')
  const strangers = [await mcp.createKey(), await mcp.createKey({ tenant: 'other' })]
  for (const stranger of strangers) {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await ask(stranger, method, { taskId, inputResponses: {} })
      expect(error).toMatchObject({ code: -32602, message: 'There is no such task' })
    }
  }
  await expect
    .poll(() => getTask(key, taskId))
    .toMatchObject({
      status: 'working',
      statusMessage: 'Waits for somebody outside to complete it',
    })
})

test('cancelling is acknowledged once and again', async () => {
  const taskId = await startTask(key, 'demo_outside')
  for (let time = 0; time < 2; time += 1) {
    const { result } = await ask(key, 'tasks/cancel', { taskId })
    expect(result).toMatchObject({ resultType: 'complete' })
  }
  expect(await getTask(key, taskId)).toMatchObject({ status: 'cancelled' })
})

test('a task is there after a restart, and can be answered then', async () => {
  const store = await freshStore()
  const options = { tools, store, limits: { taskAfterMs: 100 } }
  const before = await openMcpCrib(options)
  const own = await before.createKey()
  const start = modern('tools/call', { name: 'demo_delete', arguments: { file: 'e.txt' } }, able)
  const { result } = await readAnswer(await before.post(own, ...start))
  const taskId = result?.['taskId'] as string
  await before.close()
  const after = await openMcpCrib(options)
  const ask = async (method: string, params: object) =>
    (await readAnswer(await after.post(own, ...modern(method, { taskId, ...params }, able)))).result
  expect(await ask('tasks/get', {})).toMatchObject({ taskId, status: 'input_required' })
  await ask('tasks/update', { inputResponses: answer({ confirm: true }) })
  await expect
    .poll(() => ask('tasks/get', {}))
    .toMatchObject({ status: 'completed', result: { structuredContent: { deleted: 'e.txt' } } })
  await after.close()
})

test('a call that runs long becomes a task, and goes on when its request has ended', async () => {
  const taskId = await startTask(key, 'demo_slow')
  await expect
    .poll(() => getTask(key, taskId))
    .toMatchObject({ status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } })
})

test.each(['today', 'older'] as const)(
  'a client of the era of %s without tasks is told which call waits and where to look',
  async (era) => {
    const client = await mcp.connect(key, { era })
    const result = await client.callTool({ name: 'demo_delete', arguments: { file: 'd.txt' } })
    // To wait is not to fail, also where the client wants structured output.
    expect(result.isError).toBeUndefined()
    expect(result.structuredContent).toMatchObject({ toolcrib: { status: 'waiting' } })
    const link = result.content.find(({ type }) => type === 'resource_link') as { uri: string }
    const { contents } = await client.readResource({ uri: link.uri })
    const call = JSON.parse((contents[0] as { text: string }).text) as Record<string, unknown>
    expect(call).toMatchObject({ status: 'waiting', waitingFor: 'approval', tool: 'demo.delete' })
    await client.close()
  },
)

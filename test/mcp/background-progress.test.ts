import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import {
  type KeyInHand,
  type McpCrib,
  modern,
  openMcpCrib,
  readAnswer,
  withTasks,
} from './mcp-crib.ts'

/** What each step of the tool waits for, so that the test decides when it goes on. */
let gates: PromiseWithResolvers<void>[]

const steps = defineTool({
  name: 'demo.steps',
  description: 'Works in the background and says how far it is.',
  effect: 'write',
  execution: 'background',
  inputSchema: z.object({}),
  async execute(_input, { progress }) {
    for (const [index, gate] of gates.entries()) {
      progress({ done: index + 1, total: gates.length, message: `step ${index + 1}` })
      await gate.promise
    }
    return 'done'
  },
})

let mcp: McpCrib
let key: KeyInHand

beforeAll(async () => {
  mcp = await openMcpCrib({ tools: [steps], limits: { taskAfterMs: 100 } })
  key = await mcp.createKey()
})
afterAll(() => mcp.close())

test.each(['today', 'older'] as const)(
  'progress of a tool in the background reaches a client of the era of %s, in order',
  async (era) => {
    gates = [1, 2, 3].map(() => Promise.withResolvers<void>())
    const client = await mcp.connect(key, { era })
    const told: { progress: number; total?: number; message?: string }[] = []
    const onprogress = (one: (typeof told)[number]) => {
      told.push(one)
      const step = /^step (\d)$/.exec(one.message ?? '')?.[1]
      if (step !== undefined) gates[Number(step) - 1]?.resolve()
    }
    const result = await client.callTool({ name: 'demo_steps', arguments: {} }, { onprogress })
    expect(result.content).toEqual([{ type: 'text', text: 'done' }])
    const own = told.filter(({ total }) => total !== undefined)
    expect(own).toEqual(
      [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })),
    )
    const figures = told.map(({ progress }) => progress)
    expect(figures).toEqual([...new Set(figures)].toSorted((one, other) => one - other))
    await client.close()
  },
)

test('a task says how far its tool is', async () => {
  gates = [1, 2].map(() => Promise.withResolvers<void>())
  const ask = async (method: string, params: object) =>
    (await readAnswer(await mcp.post(key, ...modern(method, { ...params }, withTasks)))).result
  const made = await ask('tools/call', { name: 'demo_steps', arguments: {} })
  const get = () => ask('tasks/get', { taskId: made?.['taskId'] })
  const soon = { timeout: 60_000 }
  await expect.poll(get, soon).toMatchObject({ statusMessage: '1 of 2: step 1' })
  gates[0]?.resolve()
  await expect.poll(get, soon).toMatchObject({ statusMessage: '2 of 2: step 2' })
  gates[1]?.resolve()
  await expect.poll(get, soon).toMatchObject({ status: 'completed' })
})

// What somebody writes who has installed the package: try-package.mjs compiles it there and runs it.
import assert from 'node:assert/strict'
import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createCrib, defineTool, z } from 'toolcrib'
import { connectCrib } from 'toolcrib/ai-sdk'
import { connectCrib as connectLight } from 'toolcrib/client'
import * as define from 'toolcrib/define'
import { createTestCrib, runTool } from 'toolcrib/testing'

const add = defineTool({
  name: 'sum.add',
  title: 'Add',
  description: 'Add two numbers.',
  effect: 'read',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b }),
})

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const model = new MockLanguageModelV4({
  doGenerate: [
    {
      content: [
        { type: 'tool-call', toolCallId: 't1', toolName: 'sum_add', input: '{"a":1,"b":2}' },
      ],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    },
    {
      content: [{ type: 'text', text: 'three' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    },
  ],
})

// The types are half of it: a tool set must fit the `ai` of whoever installed the package.
const test = await createTestCrib({ tools: [add] })
const added = await test.call(add, { a: 1, b: 2 })
assert.equal(added.status === 'completed' && added.output.sum, 3)
const { output: ran } = await runTool(add, { a: 1, b: 2 })
assert.equal(ran.sum, 3)
const { tools, toolApproval } = await test.toolSet({})
const { text, steps } = await generateText({
  model,
  tools,
  toolApproval,
  stopWhen: isStepCount(3),
  prompt: 'Add one and two.',
})
assert.deepEqual([text, steps[0]?.toolResults[0]?.output], ['three', { sum: 3 }])
await test.close()

const crib = await createCrib({ config: '.', data: 'used by the library' })
const { output } = await crib.call('hello.greet', { name: 'Ada' })
assert.deepEqual(output, { greeting: 'Hello Ada!' })
const { output: where } = await crib.call('work.where', {})
assert.deepEqual(where, { isMainThread: false })
await crib.close()

// Typed without Node, for packs: what either entry defines is a tool for both.
const packed = define.defineTool({
  name: 'sum.none',
  description: 'Nothing.',
  effect: 'read',
  secrets: ['sum_key'],
  inputSchema: define.z.object({}),
  execute: (_, { secrets }) => secrets.sum_key.length,
})
const embedded = await createTestCrib({ tools: [packed], secrets: { sum_key: 'a long secret' } })
assert.equal((await embedded.call(packed)).output, 13)
assert.equal((await embedded.fetch(new Request('http://crib/api/v1/tools'))).status, 401)
await embedded.close()
assert.equal(typeof connectCrib, 'function')
assert.equal(typeof connectLight, 'function')

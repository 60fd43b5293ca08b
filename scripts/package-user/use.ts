// What somebody writes who has installed the package: try-package.mjs compiles it there and runs it.
import assert from 'node:assert/strict'
import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createCrib, defineTool, z } from 'toolcrib'
import { connectCrib } from 'toolcrib/ai-sdk'
import { createTestCrib } from 'toolcrib/testing'

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
await crib.close()

assert.equal(typeof connectCrib, 'function')

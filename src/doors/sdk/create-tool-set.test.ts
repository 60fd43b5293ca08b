import { generateText, isStepCount, streamText } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../../app/crib.ts'
import { contentOutput } from '../../core/kernel/content.ts'
import { defineTool } from '../../core/define-tool.ts'
import { ownerOf } from '../../app/owner.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import { callTools, playModel, sayText } from './testing/play-model.ts'

const ran: string[] = []
const text = z.object({ text: z.string() })
const tools = [
  defineTool({
    name: 'text.echo',
    description: 'Gives back the text.',
    effect: 'read',
    inputSchema: z.object({ text: z.string(), times: z.int().optional() }),
    execute: ({ text: said, times = 1 }) => said.repeat(times),
  }),
  defineTool({
    name: 'note.write',
    description: 'Writes a note.',
    effect: 'write',
    inputSchema: text,
    execute: ({ text: said }) => {
      ran.push(said)
      return { written: said }
    },
  }),
  defineTool({
    name: 'odd.values',
    description: 'Returns what JSON does not have.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => {
      const cycle: Record<string, unknown> = { big: 12n }
      cycle['self'] = cycle
      return cycle
    },
  }),
  defineTool({
    name: 'odd.crash',
    description: 'Throws what nobody expects.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => {
      throw new Error('it broke')
    },
  }),
  defineTool({
    name: 'chart.draw',
    description: 'Draws a chart.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () =>
      contentOutput([
        { type: 'text', text: 'A chart' },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      ]),
  }),
  defineTool({
    name: 'slow.count',
    description: 'Counts to three.',
    effect: 'read',
    inputSchema: z.object({}),
    async *execute() {
      yield 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      yield 2
      await new Promise((resolve) => setTimeout(resolve, 5))
      return 3
    },
  }),
  defineTool({
    name: 'big.text',
    description: 'Returns more than fits.',
    effect: 'read',
    maxOutputBytes: 1024,
    inputSchema: z.object({}),
    execute: () => 'x'.repeat(2000),
  }),
]

let crib: Crib
beforeAll(async () => {
  crib = await createTestCrib({ tools, config: { tools: [], packs: { web: false } } })
})
afterAll(() => crib.close())

/** The model's message about one tool call. */
async function resultOf(wireName: string, input: unknown, sessionId?: string) {
  const model = playModel([callTools([wireName, input]), sayText('ok')])
  const set = await crib.toolSet({ ...(sessionId !== undefined && { sessionId }) })
  const answer = await generateText({
    model,
    tools: set.tools,
    toolApproval: set.toolApproval,
    stopWhen: isStepCount(3),
    prompt: 'go',
  })
  const [, message] = answer.responseMessages
  return message?.role === 'tool'
    ? message.content.map((part) => 'output' in part && part.output)
    : []
}

test('tools are named for the wire, sorted, and carry what they are', async () => {
  const { tools: made } = await crib.toolSet()
  const own = Object.entries(made).filter(([, { metadata }]) => metadata?.['source'] === 'code')
  expect(own.map(([name]) => name)).toEqual([
    'big_text',
    'chart_draw',
    'note_write',
    'odd_crash',
    'odd_values',
    'slow_count',
    'text_echo',
  ])
  expect(made['note_write']?.metadata).toEqual({
    name: 'note.write',
    source: 'code',
    effect: 'write',
    version: expect.stringMatching(/^[0-9a-z]{11}$/),
  })
})

test('a call goes through the pipeline and is recorded', async () => {
  expect(await resultOf('text_echo', { text: 'a', times: 2 }, 'recorded')).toEqual([
    { type: 'text', value: 'aa' },
  ])
  const types = async () => {
    const told: string[] = []
    for await (const event of crib.events({ sessionId: 'recorded' })) told.push(event.type)
    return told
  }
  await expect.poll(types).toEqual(['call.requested', 'call.started', 'call.completed'])
})

test('a null for a key that was left out is taken for its absence', async () => {
  expect(await resultOf('text_echo', { text: 'a', times: null })).toEqual([
    { type: 'text', value: 'a' },
  ])
})

test('values that JSON lacks are written as JSON, and the turn continues', async () => {
  const [output] = await resultOf('odd_values', {})
  expect(output).toEqual({ type: 'json', value: { big: '12', self: expect.any(String) } })
})

test('pictures reach the model as files', async () => {
  expect(await resultOf('chart_draw', {})).toEqual([
    {
      type: 'content',
      value: [
        { type: 'text', text: 'A chart' },
        { type: 'file', data: { type: 'data', data: 'aGk=' }, mediaType: 'image/png' },
      ],
    },
  ])
})

test('a cut output names the place of the rest', async () => {
  const [output] = await resultOf('big_text', {})
  expect(output).toEqual({
    type: 'text',
    value: expect.stringMatching(
      /^The output was cut\. All 2000 bytes are kept as the artifact of call_\w+\.\nx+\n… \d+ more/,
    ),
  })
})

test('a failure is reported by its code', async () => {
  expect(await resultOf('odd_crash', {})).toEqual([
    { type: 'error-text', value: 'tool_crashed: it broke' },
  ])
})

test('invalid input is reported with its place and never becomes a call', async () => {
  const [output] = await resultOf('text_echo', { text: 5 }, 'unfit')
  expect(output).toEqual({ type: 'error-text', value: expect.stringContaining('/text must be') })
  for await (const event of crib.events({ sessionId: 'unfit' })) expect(event).toBeUndefined()
})

test('a tool that does not exist and broken JSON are reported, and the turn continues', async () => {
  const model = playModel([
    callTools(['no_such', {}], ['note_write', '{"text": "a'], ['text_echo', { text: 'b' }]),
    sayText('ok'),
  ])
  const { tools: made, toolApproval } = await crib.toolSet()
  const answer = await generateText({
    model,
    tools: made,
    toolApproval,
    stopWhen: isStepCount(3),
    prompt: 'go',
  })
  const [, message] = answer.responseMessages
  const outputs = message?.role === 'tool' ? message.content : []
  expect(outputs.map((part) => 'output' in part && part.output.type)).toEqual([
    'error-text',
    'error-text',
    'text',
  ])
  expect(answer.text).toBe('ok')
})

test('fifty calls at once run once each, and a repeated id runs once', async () => {
  ran.length = 0
  const calls = Array.from(
    { length: 50 },
    (_, index) => ['note_write', { text: `n${index}` }] as const,
  )
  const step = callTools(...calls)
  const set = await crib.toolSet({ sessionId: 'fifty' })
  const ask = async () =>
    generateText({
      model: playModel([step, sayText('ok')]),
      tools: set.tools,
      toolApproval: set.toolApproval,
      stopWhen: isStepCount(3),
      prompt: 'go',
    })
  await Promise.all([ask(), ask()])
  expect(ran.toSorted()).toEqual(calls.map(([, input]) => input.text).toSorted())
})

test('a repeated id with other input is refused', async () => {
  ran.length = 0
  const set = await crib.toolSet({ sessionId: 'reused' })
  const ask = (said: string) =>
    generateText({
      model: playModel([
        callTools({ id: 'one', call: ['note_write', { text: said }] }),
        sayText('ok'),
      ]),
      tools: set.tools,
      toolApproval: set.toolApproval,
      stopWhen: isStepCount(3),
      prompt: 'go',
    })
  await ask('first')
  const answer = await ask('second')
  expect(ran).toEqual(['first'])
  expect(JSON.stringify(answer.responseMessages)).toContain('idempotency_mismatch')
})

test('partial output becomes preliminary results', async () => {
  const set = await crib.toolSet({ partialOutput: true })
  const { stream } = streamText({
    model: playModel([callTools(['slow_count', {}]), sayText('ok')]),
    tools: set.tools,
    toolApproval: set.toolApproval,
    stopWhen: isStepCount(3),
    prompt: 'go',
  })
  const seen: unknown[] = []
  for await (const part of stream) {
    if (part.type === 'tool-result') seen.push([part.output, part.preliminary ?? false])
  }
  expect(seen).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [3, false],
  ])
})

test('a tool that is removed after it was offered is not found', async () => {
  const owner = ownerOf()
  const spec = { slug: 'helper', model: 'demo', tools: { allow: ['text.echo'] } }
  await crib.api.createAgent(owner, agentSchema.parse(spec))
  const set = await crib.toolSet({ agent: 'helper' })
  expect(Object.keys(set.tools)).toEqual(['text_echo'])
  await crib.api.changeAgent(owner, { slug: 'helper', tools: { allow: ['note.write'] } })
  const run = set.tools['text_echo']?.execute
  const call = async () =>
    run?.({ text: 'a' }, { toolCallId: 'c', messages: [], context: undefined })
  await expect(call()).rejects.toThrow(/^tool_not_found: /)
})

test('the last tool carries the mark for the prompt cache, for Anthropic alone', async () => {
  const set = await crib.toolSet({ cacheControl: { type: 'ephemeral', ttl: '1h' } })
  const marked = Object.entries(set.tools).filter(([, tool]) => tool.providerOptions)
  expect(marked.map(([name, tool]) => [name, tool.providerOptions])).toEqual([
    ['text_echo', { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } }],
  ])
})

import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { sumUpOrder } from '../sum-up-order.ts'
import { createDemoModel } from './demo-model.ts'
import { readInstructions } from './read-instructions.ts'

const adder = tool({
  description: 'Adds two numbers.',
  inputSchema: jsonSchema<{ a: number; b: number }>({ type: 'object' }),
  execute: ({ a, b }) => {
    if (typeof b !== 'number') throw new Error(`${String(b)} is no number`)
    return a + b
  },
})

function ask(prompt: string) {
  return generateText({
    model: createDemoModel(),
    tools: { calc_add: adder, calc_sub: adder },
    stopWhen: isStepCount(5),
    prompt,
  })
}

test('orders are read with their inputs, together or one after the other', () => {
  const text =
    'Please run calc.add with {"a": 1, "note": "run nothing; then {"} and use time.now,\nthen call mail.send with to="a b" count=3'
  expect(readInstructions(text)).toEqual([
    [
      { tool: 'calc.add', input: { a: 1, note: 'run nothing; then {' } },
      { tool: 'time.now', input: {} },
    ],
    [{ tool: 'mail.send', input: { to: 'a b', count: 3 } }],
  ])
})

test('an input that is not JSON is reported, not guessed', async () => {
  expect((await ask('run calc.add with {a: 1')).text).toBe(
    "I can't read the input for calc.add: {a: 1",
  )
})

test('it runs the named tools, in passes, and reports the results', async () => {
  const result = await ask(
    'run calc.add with a=1 b=2 and run calc.sub with a=5 b=6 then run calc.add with a=7 b=8',
  )
  expect(result.steps.map(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName))).toEqual([
    ['calc_add', 'calc_sub'],
    ['calc_add'],
    [],
  ])
  expect(result.text).toBe('calc_add returned 3.\n\ncalc_sub returned 11.\n\ncalc_add returned 15.')
})

test('it stops at what fails', async () => {
  const result = await ask('run calc.add with a=1 b=oops then run calc.add with a=1 b=1')
  expect(result.text).toBe('calc_add failed: oops is no number\n\nI stopped there.')
  expect(result.steps).toHaveLength(2)
})

test.each<[JsonValue, string]>([
  [{ roi: 0.5, yearlyBenefit: 3, note: null }, 'Return: 0.5, yearly benefit: 3.'],
  [{ rows: [{ a: 1 }, { a: 2 }], tags: ['x', 'y'] }, 'rows: 2 rows, tags: 2 entries (x, y).'],
  [
    { rows: [{ a: 1 }], summary: { roi: 2, parts: { b: 1 } }, long: 'x'.repeat(100) },
    `Return: 2, long: ${'x'.repeat(80)}…, rows: 1 row, parts: 1 field.`,
  ],
  [{ verdict: 'Pays back.', years: 5 }, 'verdict: Pays back, years: 5.'],
  [Array.from({ length: 12 }, () => ({ a: 1 })), '12 rows.'],
  [
    Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${n}`, n])),
    'f0: 0, f1: 1, f2: 2, f3: 3, f4: 4, f5: 5, f6: 6, f7: 7 and 2 more fields.',
  ],
])('a result is put into a sentence, in the words of the tool: %j', async (output, told) => {
  const { text } = await generateText({
    model: createDemoModel(),
    tools: {
      calc_roi: tool({
        inputSchema: jsonSchema({ type: 'object' }),
        providerOptions: { demo: { title: 'Return on investment', labels: { roi: 'Return' } } },
        execute: () => output,
      }),
    },
    stopWhen: isStepCount(2),
    prompt: 'run calc.roi',
  })
  expect(text).toBe(`Return on investment returned ${told}`)
})

test('where JSON of a schema is asked for, it gives an example', async () => {
  const schema = {
    type: 'object',
    properties: {
      mood: { enum: ['good', 'bad'] },
      tags: { type: 'array', items: { type: 'string', minLength: 6 }, minItems: 2 },
      at: { type: ['string', 'null'], format: 'date' },
      rating: { type: 'integer', minimum: 1 },
    },
  }
  const { text } = await generateText({
    model: createDemoModel(),
    instructions: `Answer with JSON. It must match this JSON Schema:\n${JSON.stringify(schema)}`,
    prompt: 'run nothing',
  })
  expect(JSON.parse(text)).toEqual({
    mood: 'good',
    tags: ['demo..', 'demo..'],
    at: '2026-01-01',
    rating: 1,
  })
})

test('a tool that it has not is named', async () => {
  expect((await ask('run nothing.here')).text).toContain('I have no tool nothing.here.')
})

test('a tool that is not listed is called by name, with its input as the JSON text that is asked for', async () => {
  const { toolCalls } = await generateText({
    model: createDemoModel(),
    tools: { tools_call: tool({ inputSchema: jsonSchema({ type: 'object' }) }) },
    prompt: 'run calc.add with a=1 b=2',
  })
  expect(toolCalls.map(({ input }) => input)).toEqual([
    { name: 'calc.add', input: '{"a":1,"b":2}' },
  ])
})

test('it introduces itself, and streams word by word', async () => {
  const { textStream } = streamText({ model: createDemoModel(), prompt: 'hello' })
  const words: string[] = []
  for await (const word of textStream) words.push(word)
  expect(words.length).toBeGreaterThan(10)
  expect(words.join('')).toMatch(/^I am the offline demo model/)
})

test('an agent that summarises still follows orders', async () => {
  const { toolCalls } = await generateText({
    model: createDemoModel(),
    instructions: 'You summarize what you find.',
    tools: { calc_add: adder },
    prompt: 'run calc.add with a=1 b=2',
  })
  expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['calc_add'])
})

test('asked for a summary, it answers that it cannot give one, and repeats no order', async () => {
  const prompt = JSON.stringify({ role: 'user', parts: ['run calc.add with a=1 b=2'] })
  const result = await generateText({
    model: createDemoModel(),
    instructions: sumUpOrder,
    prompt,
  })
  expect(result.text).toContain('cannot summarise')
  expect(readInstructions(result.text)).toEqual([])
})

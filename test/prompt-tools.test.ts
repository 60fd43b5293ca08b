import { expect, test } from 'vitest'
import { toTool } from '../src/core/define-tool.ts'
import type { JsonSchema } from '../src/core/kernel/json.ts'
import { promptKind } from '../src/features/authoring/kinds/prompt/prompt-kind.ts'
import type { PromptSpec } from '../src/features/authoring/kinds/prompt/prompt-spec.ts'
import { createTestCrib } from '../src/testing/index.ts'

const inputSchema: JsonSchema = { type: 'object', properties: { text: { type: 'string' } } }
const known = { find: () => undefined, names: () => [] }

function make(name: string, given: Partial<PromptSpec>, outputSchema?: JsonSchema) {
  const spec: PromptSpec = { kind: 'prompt', mode: 'direct', template: '{{input.text}}', ...given }
  const facts = { name, description: 'Test', inputSchema }
  const document = { ...facts, spec, ...(outputSchema && { outputSchema }) }
  const { effect, outputSchema: derived = outputSchema } = promptKind.derive(document, known)
  return toTool(
    { ...facts, effect, source: 'authored', ...(derived && { outputSchema: derived }) },
    promptKind.toBehaviour(document),
  )
}

test('prompts can be tried with the demo model: text, objects, and as an agent', async () => {
  const shape: JsonSchema = {
    type: 'object',
    properties: { mood: { enum: ['good', 'bad'] }, why: { type: 'string' } },
    required: ['mood'],
  }
  const crib = await createTestCrib({
    tools: [
      make('text.plain', {}),
      make('text.mood', {}, shape),
      make('text.strict', {}, { ...shape, required: ['mood', 'why'], additionalProperties: false }),
      make('text.helper', { mode: 'agent', agent: 'helper' }),
      make('text.nobody', { mode: 'agent', agent: 'nobody' }),
    ],
    config: { tools: [], agents: [{ slug: 'helper', model: 'demo', instructions: 'Help.' }] },
  })
  const pieces: string[] = []
  const plain = await crib.call(
    'text.plain',
    { text: 'Hello' },
    {
      onOutput: (output) => pieces.push(('progress' in output && output.progress.text) || ''),
    },
  )
  expect(plain).toMatchObject({ status: 'completed' })
  expect(plain.output).toContain('offline demo model')
  expect(pieces.join('')).toBe(plain.output)
  expect(pieces.length).toBeGreaterThan(3)
  const mood = { mood: 'good', why: 'demo' }
  expect((await crib.call('text.mood', { text: 'x' })).output).toEqual(mood)
  expect((await crib.call('text.strict', { text: 'x' })).output).toEqual(mood)
  expect((await crib.call('text.helper', { text: 'x' })).status).toBe('completed')
  expect(await crib.call('text.nobody', { text: 'x' })).toMatchObject({
    status: 'failed',
    error: { code: 'not_found' },
  })
  await crib.close()
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { toJsonSchema } from '../../core/schema/to-json-schema.ts'
import { toProviderSchema } from './to-provider-schema.ts'

const schema = toJsonSchema(
  z.object({
    name: z.string().min(1).max(9),
    limit: z.int().min(1).optional().describe('How many'),
    mode: z.enum(['a', 'b']).default('a'),
    shape: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('dot') }),
      z.object({ kind: z.literal('box'), side: z.number() }),
    ]),
  }),
  'input',
)

test('OpenAI gets every key required, optional ones nullable, and no oneOf', () => {
  expect(toProviderSchema(schema, 'openai', true)).toEqual({
    isStrict: true,
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 9 },
        limit: { type: ['integer', 'null'], minimum: 1, description: 'How many' },
        mode: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
        shape: {
          anyOf: [
            {
              type: 'object',
              properties: { kind: { type: 'string', const: 'dot' } },
              required: ['kind'],
              additionalProperties: false,
            },
            {
              type: 'object',
              properties: { kind: { type: 'string', const: 'box' }, side: { type: 'number' } },
              required: ['kind', 'side'],
              additionalProperties: false,
            },
          ],
        },
      },
      required: ['name', 'limit', 'mode', 'shape'],
      additionalProperties: false,
    },
  })
})

test('what strictness would cost something is sent without it', () => {
  const open = toJsonSchema(z.object({ labels: z.record(z.string(), z.string()) }), 'input')
  const { isStrict, schema: sent } = toProviderSchema(open, 'openai', true)
  expect(isStrict).toBe(false)
  expect(sent['properties']).toEqual(open['properties'])
})

test('Anthropic gets no union at the root, and strictly, limits in words', () => {
  const either = { ...schema, anyOf: [{ required: ['name'] }] }
  const root = toProviderSchema(either, 'anthropic', false).schema
  expect([root['anyOf'], root['description']]).toEqual([
    undefined,
    'anyOf: [{"required":["name"]}]',
  ])
  const strict = toProviderSchema(schema, 'anthropic', true)
  expect(strict.isStrict).toBe(true)
  expect((strict.schema['properties'] as Record<string, unknown>)['name']).toEqual({
    type: 'string',
    description: 'minLength: 1, maxLength: 9',
  })
})

test('Gemini gets enum for const', () => {
  const { schema: sent } = toProviderSchema(schema, 'gemini', false)
  expect(JSON.stringify(sent)).not.toMatch(/"const"|"oneOf"|\$schema/)
  expect(JSON.stringify(sent)).toContain('"enum":["dot"]')
})

test('a schema is compiled once for each provider', () => {
  expect(toProviderSchema(schema, 'gemini', false)).toBe(toProviderSchema(schema, 'gemini', false))
})

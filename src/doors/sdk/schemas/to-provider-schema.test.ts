import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { toJsonSchema } from '../../../core/schema/to-json-schema.ts'
import { checkPortability } from '../../../core/schema/portability.ts'
import { unseenKeywords } from '../../../core/schema/unseen-keywords.ts'
import { isSimpleSchema } from './is-simple-schema.ts'
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
        mode: {
          description: 'Default: "a"',
          anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
        },
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

test('a schema that would lose meaning by strictness is sent without it', () => {
  const open = toJsonSchema(z.object({ labels: z.record(z.string(), z.string()) }), 'input')
  const { isStrict, schema: sent } = toProviderSchema(open, 'openai', true)
  expect(isStrict).toBe(false)
  expect(sent['properties']).toEqual(open['properties'])
})

test('a schema sent without strictness contains nothing for which a whole request is refused', () => {
  const either = {
    type: 'object',
    description: 'One of the two',
    anyOf: [{ required: ['rows'] }, { required: ['file'] }],
    properties: { rows: { type: 'array', items: { type: ['array', 'null'] } }, file: true },
  }
  for (const flavour of ['openai', 'plain'] as const) {
    expect(toProviderSchema(either, flavour, true).schema).toEqual({
      type: 'object',
      description: 'One of the two (anyOf: [{"required":["rows"]},{"required":["file"]}])',
      properties: {
        rows: { type: 'array', items: { type: ['array', 'null'], items: {} } },
        file: true,
      },
    })
    expect(toProviderSchema({ type: 'object' }, flavour, true).schema).toEqual({
      type: 'object',
      properties: {},
    })
  }
  const { schema: sent } = toProviderSchema(either, 'gemini', false)
  expect(sent['properties']).toMatchObject({ rows: { items: { items: {} } } })
})

test('a key that takes any value is never sent strictly: OpenAI would refuse the whole request', () => {
  for (const key of [z.any(), z.unknown().optional(), z.any().describe('anything')]) {
    const loose = toJsonSchema(z.object({ name: z.string(), key }), 'input')
    expect(toProviderSchema(loose, 'openai', true).isStrict).toBe(false)
  }
  const list = { type: 'object', properties: { all: { type: 'array', items: {} } } }
  expect(toProviderSchema(list, 'openai', true).isStrict).toBe(false)
})

test('a default that is not sent is described, and a long one is left out', () => {
  const page = toJsonSchema(
    z.object({
      size: z.int().default(20).describe('Rows of a page'),
      text: z.string().default('x'.repeat(500)),
    }),
    'input',
  )
  const said = (flavour: 'openai' | 'anthropic' | 'gemini') => {
    const { properties } = toProviderSchema(page, flavour, true).schema
    return Object.values(properties as Record<string, { description?: string }>).map(
      ({ description }) => description,
    )
  }
  expect([said('openai'), said('gemini')]).toEqual([
    ['Rows of a page (Default: 20)', undefined],
    ['Rows of a page (Default: 20)', undefined],
  ])
  expect(said('anthropic')[0]).toContain('Default: 20')
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

test.each([...unseenKeywords])(
  'a rule of %s is reported, and every provider gets it in words',
  (keyword) => {
    const inner = { type: 'object', properties: {}, [keyword]: { type: 'string' } }
    const ruled = { type: 'object', properties: { inner } }
    const path = `/properties/inner/${keyword}`
    const reported = checkPortability(ruled).filter((finding) => finding.path === path)
    expect(new Set(reported.map(({ provider }) => provider))).toEqual(
      new Set(['openai', 'anthropic', 'gemini']),
    )
    for (const flavour of ['openai', 'anthropic', 'gemini'] as const) {
      const { schema: sent, isStrict } = toProviderSchema(ruled, flavour, true)
      // A schema that is not strict for Anthropic or OpenAI keeps its keywords.
      if (!isStrict && flavour !== 'gemini') continue
      expect(sent['properties']).toMatchObject({
        inner: { description: expect.stringContaining(`${keyword}: `) },
      })
      expect(sent['properties']).not.toHaveProperty(['inner', keyword])
    }
  },
)

test('a schema is compiled once for each provider', () => {
  expect(toProviderSchema(schema, 'gemini', false)).toBe(toProviderSchema(schema, 'gemini', false))
})

test('a schema that looks simple at once has no findings in the whole check', () => {
  const scalar = fc.oneof(
    fc.constantFrom(
      { type: 'string' },
      { type: 'integer', minimum: 1 },
      { type: ['string', 'null'] },
    ),
    fc.constantFrom(
      { type: 'array' },
      { type: ['string', 'null'], default: 'x' },
      {},
      { enum: [1] },
    ),
  )
  const key = fc.constantFrom('a', 'b_c', 'dry-run', 'two words', '__proto', 'x'.repeat(70))
  const object = fc.record(
    {
      type: fc.constantFrom('object', 'array'),
      properties: fc.dictionary(key, scalar),
      additionalProperties: fc.boolean(),
      anyOf: fc.constant([{ required: ['a'] }]),
    },
    { requiredKeys: ['type', 'properties'] },
  )
  fc.assert(
    fc.property(object, (made) => {
      if (isSimpleSchema(made)) expect(checkPortability(made)).toEqual([])
    }),
    { numRuns: 500 },
  )
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkPortability } from './portability.ts'
import { toJsonSchema } from './to-json-schema.ts'
import type { SchemaLike } from './schema-like.ts'

/** `provider severity path`, sorted: the messages are checked separately. */
const findings = (schema: SchemaLike) =>
  checkPortability(toJsonSchema(schema, 'input'))
    .map(({ provider, severity, path }) => `${provider} ${severity} ${path}`)
    .sort()

test('schemas that the doors can rewrite without loss have no findings', () => {
  const schema = z.object({
    name: z
      .string()
      .min(1)
      .max(10)
      .regex(/^[a-z]+$/),
    email: z.email().nullable(),
    limit: z.int().min(1).optional(),
    mode: z.enum(['a', 'b']).default('a'),
    shape: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), n: z.number() }),
      z.object({ kind: z.literal('b') }),
    ]),
    either: z.union([z.string(), z.number()]),
    rows: z.array(z.object({ key: z.string(), value: z.string().nullish() })).min(2),
  })
  expect(findings(schema)).toEqual([])
})

interface Node {
  kids: Node[]
}
const node: z.ZodType<Node> = z.object({
  get kids() {
    return z.array(node)
  },
})
const manyKeys = (count: number, value: z.ZodType) =>
  z.object(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value])))
const levels = (depth: number): z.ZodType =>
  depth === 0 ? z.string() : z.object({ a: levels(depth - 1) })

test.each<[string, SchemaLike, string[]]>([
  [
    'a record',
    z.object({ r: z.record(z.string(), z.number()) }),
    ['anthropic error /properties/r', 'openai error /properties/r'],
  ],
  [
    'a loose object',
    z.object({ o: z.looseObject({}) }),
    ['anthropic error /properties/o', 'openai error /properties/o'],
  ],
  [
    'an object without keys',
    { type: 'object', properties: { o: { type: 'object' } } },
    ['anthropic error /properties/o', 'openai error /properties/o'],
  ],
  [
    'a tuple',
    z.object({ t: z.tuple([z.string()]) }),
    ['anthropic error /properties/t', 'openai error /properties/t'],
  ],
  [
    'anything',
    z.object({ a: z.any() }),
    ['anthropic error /properties/a', 'openai error /properties/a'],
  ],
  [
    'a list of anything',
    { type: 'object', properties: { l: { type: 'array' } } },
    ['anthropic error /properties/l', 'gemini error /properties/l', 'openai error /properties/l'],
  ],
  [
    'a union at the root',
    { type: 'object', properties: {}, anyOf: [{ required: ['a'] }] },
    ['anthropic error /anyOf', 'openai error /anyOf'],
  ],
  [
    'allOf inside',
    { type: 'object', properties: { o: { allOf: [{ type: 'string' }] } } },
    ['openai error /properties/o/allOf'],
  ],
  [
    'a rule on keys',
    { type: 'object', properties: { a: { type: 'string' } }, dependentRequired: { a: ['b'] } },
    [
      'anthropic warning /dependentRequired',
      'gemini warning /dependentRequired',
      'openai warning /dependentRequired',
    ],
  ],
  [
    'a recursive schema',
    z.object({ tree: node }),
    [
      'anthropic error /$defs/__schema0/properties/kids/items',
      'gemini warning /$defs/__schema0/properties/kids/items',
    ],
  ],
  ['a key with a dash', z.object({ 'dry-run': z.boolean() }), ['gemini error /properties/dry-run']],
  [
    'a key with a space',
    z.object({ 'dry run': z.boolean() }),
    ['anthropic error /properties/dry run', 'gemini error /properties/dry run'],
  ],
  [
    'null beside a default',
    z.object({ a: z.string().nullable().default('x') }),
    ['openai warning /properties/a'],
  ],
  ['many optional keys', manyKeys(25, z.string().optional()), ['anthropic error ']],
  [
    'a large enum',
    z.object({ e: z.enum(Array.from({ length: 1001 }, (_, i) => `v${i}`) as [string]) }),
    ['openai error '],
  ],
  ['eleven levels', levels(11), ['gemini warning ', 'openai error ']],
])('%s is found', (_, schema, expected) => {
  expect(findings(schema)).toEqual(expected)
})

test('a finding suggests the portable form', () => {
  expect(
    checkPortability(toJsonSchema(z.object({ r: z.record(z.string(), z.number()) }), 'input'))[0],
  ).toEqual({
    provider: 'openai',
    severity: 'error',
    path: '/properties/r',
    message:
      'takes keys that are not named, which strict schemas close; use an array of { key, value }',
  })
})
